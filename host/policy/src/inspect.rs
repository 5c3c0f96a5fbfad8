//! What a component is, before it is trusted with anything: size, digest, what made it, what it exports and asks for.

use std::collections::BTreeSet;

use wasmparser::{KnownCustom, Parser, Payload, ProducersSectionReader};

use crate::engine::Engine;
use crate::error::LoadError;
use crate::{imports, loaded, prove};

/// What a component is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// What it was written in and made with: a kind (`language`, `processed-by`, `sdk`), a name, a version.
    pub producers: BTreeSet<(String, String, String)>,
    /// What it offers.
    pub exports: Vec<String>,
    /// What it asks for.
    pub imports: Vec<Import>,
}

/// Something that a component asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Interface with version.
    pub name: String,
    /// What it would get.
    pub answer: Answer,
}

/// What a policy gets for an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It only names types.
    TypesOnly,
    /// It is there, with nothing behind it.
    Empty,
    /// It is refused, and with it the policy; what to do.
    Refused(&'static str),
}

impl Inspection {
    /// Looks at a component. Nothing of it runs.
    ///
    /// # Errors
    /// Where it is not a component.
    pub fn of(engine: &Engine, name: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        prove::is_component(bytes, name)?;
        let invalid = |reason: String| LoadError::Invalid {
            name: name.to_owned(),
            reason,
        };
        let sha256 = loaded::sha256(bytes);
        let component = engine
            .compile(bytes, &sha256)
            .map_err(|error| invalid(error.root_cause().to_string()))?;
        let kind = component.component_type();
        let exports = kind.exports(engine.wasmtime());
        Ok(Self {
            bytes: bytes.len() as u64,
            sha256,
            producers: producers(bytes).map_err(|error| invalid(error.to_string()))?,
            exports: exports.map(|(name, _)| name.to_owned()).collect(),
            imports: imports::of(engine.wasmtime(), &component),
        })
    }
}

/// The tools that the component and every module in it name in their `producers` sections.
fn producers(bytes: &[u8]) -> wasmparser::Result<BTreeSet<(String, String, String)>> {
    let mut producers = BTreeSet::new();
    for payload in Parser::new(0).parse_all(bytes) {
        if let Payload::CustomSection(section) = payload?
            && let KnownCustom::Producers(fields) = section.as_known()
        {
            collect(fields, &mut producers)?;
        }
    }
    Ok(producers)
}

fn collect(
    fields: ProducersSectionReader<'_>,
    producers: &mut BTreeSet<(String, String, String)>,
) -> wasmparser::Result<()> {
    for field in fields {
        let field = field?;
        for value in field.values {
            let value = value?;
            producers.insert((field.name.into(), value.name.into(), value.version.into()));
        }
    }
    Ok(())
}
