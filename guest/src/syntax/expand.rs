//! Raw words → words as the shell would see them; what only running the command would tell stays a
//! piece of its own.

use super::braces;
use super::fields::{Fields, Quoting};
use super::lex::{self, Part};
use super::long;
use super::scope::Scope;
use super::walk::{Place, Walker};
use super::word::{Piece, Word};
use crate::model::Span;

/// Most words that one raw word may become.
const MAX_FIELDS: usize = 256;

/// Where a word stands, for what is run inside it.
#[derive(Clone, Copy)]
pub(super) struct Site<'p> {
    /// The part of the command text that it comes from.
    pub span: Span,
    /// How the command line reaches it.
    pub place: &'p Place,
}

/// Whether bash would use the text of a word as it stands: no quote, no expansion, no pattern.
fn is_plain(raw: &str) -> bool {
    !raw.is_empty()
        && !raw.bytes().any(|byte| {
            matches!(
                byte,
                b'\\' | b'\'' | b'"' | b'`' | b'$' | b'*' | b'?' | b'[' | b'~' | b'{' | b'('
            )
        })
}

impl Walker {
    /// Expands a word of a command: braces, tildes, parameters, commands, splitting, patterns,
    /// quotes.
    pub(super) fn expand(&mut self, raw: &str, site: Site<'_>, scope: &mut Scope) -> Vec<Word> {
        if is_plain(raw) {
            return vec![Word::text(raw, site.span)];
        }
        if braces::possible(raw) {
            let short = raw.len() <= braces::MAX_BYTES;
            let Some(raws) = short.then(|| braces::expand(raw)).flatten() else {
                self.opaque("a word becomes too many words to be analysed", site.span);
                return vec![unknown(site.span)];
            };
            let mut words = Vec::new();
            for raw in raws {
                words.extend(self.expand_one(&raw, site, scope));
            }
            return words;
        }
        self.expand_one(raw, site, scope)
    }

    fn expand_one(&mut self, raw: &str, site: Site<'_>, scope: &mut Scope) -> Vec<Word> {
        if self.stopped() || self.too_many_parts(raw, false, site) {
            return vec![unknown(site.span)];
        }
        let mut fields = Fields::new(site.span, scope.literal("IFS"));
        let tilde = if assigned_name(raw).is_some() {
            Tilde::AsInAssignment
        } else {
            Tilde::AtStart
        };
        let parts = lex::word(raw);
        fields.bracketed = lex::has_pattern(&parts);
        self.parts(&parts, tilde, Quoting::Unquoted, site, scope, &mut fields);
        let words = fields.finish(MAX_FIELDS);
        if self.room_for(&words, site.span) {
            return words;
        }
        vec![unknown(site.span)]
    }

    /// Whether a text has more parts than are followed, which is said then.
    fn too_many_parts(&mut self, raw: &str, is_document: bool, site: Site<'_>) -> bool {
        let too_many = long::has_too_many_parts(raw, is_document);
        if too_many {
            self.opaque(&long::reason(), site.span);
        }
        too_many
    }

    /// Expands the right side of an assignment, the target of a redirection and their like: one
    /// word whatever it holds.
    pub(super) fn expand_value(&mut self, raw: &str, site: Site<'_>, scope: &mut Scope) -> Word {
        if is_plain(raw) {
            return Word::text(raw, site.span);
        }
        if self.too_many_parts(raw, false, site) {
            return unknown(site.span);
        }
        let mut fields = Fields::new(site.span, None);
        let parts = lex::word(raw);
        self.parts(
            &parts,
            Tilde::AsInAssignment,
            Quoting::OneWord,
            site,
            scope,
            &mut fields,
        );
        let word = fields.finish_as_one();
        if self.room_for(std::slice::from_ref(&word), site.span) {
            return word;
        }
        unknown(site.span)
    }

    /// Expands the body of a here-document whose mark is not quoted.
    pub(super) fn expand_document(&mut self, raw: &str, site: Site<'_>, scope: &mut Scope) -> Word {
        if self.too_many_parts(raw, true, site) {
            return unknown(site.span);
        }
        let mut fields = Fields::new(site.span, None);
        let parts = lex::document(raw);
        self.parts(
            &parts,
            Tilde::Never,
            Quoting::OneWord,
            site,
            scope,
            &mut fields,
        );
        fields.finish_as_one()
    }

    pub(super) fn parts(
        &mut self,
        parts: &[Part<'_>],
        tilde: Tilde,
        context: Quoting,
        site: Site<'_>,
        scope: &mut Scope,
        fields: &mut Fields,
    ) {
        for (index, part) in parts.iter().enumerate() {
            match part {
                Part::Text {
                    value,
                    quoted: true,
                } => fields.literal(value, Quoting::Quoted),
                Part::Text {
                    value,
                    quoted: false,
                } => {
                    let last = index + 1 == parts.len();
                    source_text(value, tilde, index == 0, last, context, fields);
                }
                Part::Parameter { body, quoted } => {
                    let quoting = if *quoted { Quoting::Quoted } else { context };
                    self.parameter(body, quoting, site, scope, fields);
                }
                Part::Command { script, quoted } => {
                    let quoting = if *quoted { Quoting::Quoted } else { context };
                    match self.substitute(script, site, scope) {
                        Some(output) => fields.value(&output, quoting),
                        None => fields.piece(Piece::Substitution),
                    }
                }
                Part::Arithmetic { body, .. } => {
                    let number = self.arithmetic(body, site, scope);
                    match number {
                        Some(number) => fields.literal(&number.to_string(), Quoting::Quoted),
                        None => fields.piece(Piece::Unknown),
                    }
                }
            }
        }
    }

    /// Walks the commands that a text with expansions runs.
    pub(super) fn commands_in(&mut self, text: &str, site: Site<'_>, scope: &mut Scope) {
        if !text.contains(['$', '`']) || self.too_many_parts(text, true, site) {
            return;
        }
        for part in lex::document(text) {
            match part {
                Part::Command { script, .. } => {
                    self.substitute(&script, site, scope);
                }
                Part::Arithmetic { body, .. } | Part::Parameter { body, .. } if self.enter() => {
                    self.commands_in(body, site, scope);
                    self.leave();
                }
                _ => {}
            }
        }
    }

    /// Walks the commands inside an arithmetic expression and forgets the variables that it may
    /// assign.
    pub(super) fn arithmetic(
        &mut self,
        body: &str,
        site: Site<'_>,
        scope: &mut Scope,
    ) -> Option<i64> {
        self.commands_in(body, site, scope);
        if body.contains('=') || body.contains("++") || body.contains("--") {
            let names = body.split(|part: char| part != '_' && !part.is_ascii_alphanumeric());
            for name in names
                .filter(|name| scope.get(name).is_some())
                .collect::<Vec<_>>()
            {
                scope.set(name, None);
            }
        }
        body.trim().parse().ok()
    }
}

/// The name in front of `=` or `+=`, if the word looks like an assignment.
pub(super) fn assigned_name(raw: &str) -> Option<&str> {
    let end = super::quoting::name_end(raw.as_bytes(), 0);
    let (name, rest) = raw.split_at_checked(end)?;
    let named = name.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic());
    (named && (rest.starts_with('=') || rest.starts_with("+="))).then_some(name)
}

fn unknown(span: Span) -> Word {
    Word {
        pieces: vec![Piece::Unknown],
        span,
    }
}

/// Where a tilde is special.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tilde {
    Never,
    AtStart,
    /// At the start, behind the first `=` and behind each `:`.
    AsInAssignment,
}

/// Unquoted text of the command itself: tildes and patterns are special in it.
fn source_text(
    text: &str,
    tilde: Tilde,
    first: bool,
    last: bool,
    context: Quoting,
    fields: &mut Fields,
) {
    let mut rest = text;
    let mut open = first && tilde != Tilde::Never;
    let mut seen_equals = false;
    loop {
        if open && let Some(behind) = rest.strip_prefix('~') {
            let separators: &[char] = if tilde == Tilde::AsInAssignment {
                &['/', ':']
            } else {
                &['/']
            };
            let end = behind.find(separators);
            // A quotation or expansion in the name makes the tilde ordinary.
            if let Some(length) = end.or(last.then_some(behind.len())) {
                fields.piece(Piece::Tilde(
                    behind.get(..length).unwrap_or_default().to_owned(),
                ));
                rest = behind.get(length..).unwrap_or_default();
            }
        }
        let opener = |(index, character): (usize, char)| {
            let equals = character == '=' && !seen_equals;
            (tilde == Tilde::AsInAssignment && (character == ':' || equals)).then_some(index)
        };
        let Some(index) = rest.char_indices().find_map(opener) else {
            break;
        };
        seen_equals |= rest.get(index..).is_some_and(|tail| tail.starts_with('='));
        fields.source(rest.get(..=index).unwrap_or_default(), context);
        rest = rest.get(index + 1..).unwrap_or_default();
        open = true;
    }
    fields.source(rest, context);
}
