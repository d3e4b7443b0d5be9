//! Makes the block of draughts that binaries carry (`engine/block`).

fn main() {
    block::build::write("draughts", "../../data/parameters/draughts");
}
