# kamerton, sprt and tuner in an image without a compiler:
#
#   docker build --tag kamerton .
#   docker run --rm --volume "$PWD:/work" kamerton tuner auto --budget 5m
#
# CPU is the processor to build for, as rustc's target-cpu.
FROM rust:1-slim-bookworm AS build
ARG CPU=x86-64-v2
WORKDIR /source
COPY . .
# With a target named, build scripts are built for this machine, which may lack instructions.
RUN target=$(rustc -vV | sed -n 's/^host: //p') && CARGO_BUILD_RUSTFLAGS="-C target-cpu=$CPU" cargo build \
    --release --locked --target "$target" --package engine --package sprt --package tuner \
    && mv "target/$target/release" /programs

FROM debian:bookworm-slim
# `sprt regress` asks git; what builds the engines under test is for those to say who derive an image.
# A repository of the host belongs to another user than root here, which git would refuse.
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory '*'
COPY --from=build /programs/kamerton /programs/sprt /programs/tuner \
    /source/data/positions/sample.kgames /opt/kamerton/
ENV PATH="/opt/kamerton:$PATH"
WORKDIR /work
CMD ["kamerton"]
