//! Which policy judges: getting it ready, replacing it while the face talks, asking another one beside it.

mod loading;
mod shadow;
mod source;
mod swap;

pub use loading::Loading;
pub use shadow::Shadow;
pub use source::{engine, load};
pub use swap::keep_current;
