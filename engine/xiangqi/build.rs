//! Makes the block of xiangqi that binaries carry (`engine/block`).

fn main() {
    block::build::write("xiangqi", "../../data/parameters/xiangqi");
}
