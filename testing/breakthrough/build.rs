//! Makes the block of the game that its programs carry.

fn main() {
    block::build::write("breakthrough", "data");
}
