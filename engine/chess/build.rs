//! Makes the block of chess that binaries carry (`engine/block`).

fn main() {
    block::build::write("chess", "../../data/parameters");
}
