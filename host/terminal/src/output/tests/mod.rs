//! What the output room promises, as tests.

mod combined;
mod fixture;
mod handles;
mod plain;
mod ring;
mod spill;
mod stream;
mod text;
