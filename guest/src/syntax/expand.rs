//! Raw words → words as the shell would see them; what only running the command would tell stays a piece of its own.

use super::braces;
use super::fields::{Fields, Quoting};
use super::lex::{self, Part};
use super::parameter::{self, Anchor, Operation, Parameter};
use super::scope::{Scope, Value};
use super::walk::{Place, Walker};
use super::word::{Guard, Piece, Word};
use crate::model::Span;

/// Most words that one raw word may become.
const MAX_FIELDS: usize = 256;

/// Parameters that always have a value in bash.
const NEVER_EMPTY: [&str; 13] = [
    "#",
    "$",
    "?",
    "0",
    "BASHPID",
    "BASH_VERSION",
    "EUID",
    "HOSTNAME",
    "PPID",
    "PWD",
    "RANDOM",
    "SECONDS",
    "UID",
];

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
    /// Expands a word of a command: braces, tildes, parameters, commands, splitting, patterns, quotes.
    pub(super) fn expand(&mut self, raw: &str, site: Site<'_>, scope: &mut Scope) -> Vec<Word> {
        if is_plain(raw) {
            return vec![Word::text(raw, site.span)];
        }
        if braces::possible(raw) {
            let short = raw.len() <= braces::MAX_BYTES;
            let Some(raws) = short.then(|| braces::expand(raw)).flatten() else {
                self.opaque("a word becomes too many words to be analysed", site.span);
                return vec![Word {
                    pieces: vec![Piece::Unknown],
                    span: site.span,
                }];
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
        if self.stopped() {
            return vec![Word {
                pieces: vec![Piece::Unknown],
                span: site.span,
            }];
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
        vec![Word {
            pieces: vec![Piece::Unknown],
            span: site.span,
        }]
    }

    /// Expands the right side of an assignment, the target of a redirection and their like: one word whatever it holds.
    pub(super) fn expand_value(&mut self, raw: &str, site: Site<'_>, scope: &mut Scope) -> Word {
        if is_plain(raw) {
            return Word::text(raw, site.span);
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
        Word {
            pieces: vec![Piece::Unknown],
            span: site.span,
        }
    }

    /// Expands the body of a here-document whose mark is not quoted.
    pub(super) fn expand_document(&mut self, raw: &str, site: Site<'_>, scope: &mut Scope) -> Word {
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

    fn parts(
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
    fn commands_in(&mut self, text: &str, site: Site<'_>, scope: &mut Scope) {
        if !text.contains(['$', '`']) {
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

    /// Walks the commands inside an arithmetic expression and forgets the variables that it may assign.
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

    fn parameter(
        &mut self,
        body: &str,
        quoting: Quoting,
        site: Site<'_>,
        scope: &mut Scope,
        fields: &mut Fields,
    ) {
        let Some(mut parameter) = parameter::parse(body) else {
            self.commands_in(body, site, scope);
            fields.piece(Piece::Unknown);
            return;
        };
        if !matches!(
            parameter.operation,
            Operation::Default { .. } | Operation::Alternative { .. }
        ) {
            self.commands_in(body, site, scope);
        } else if let Some(index) = parameter.index {
            self.commands_in(index, site, scope);
        }
        let target;
        if parameter.indirect {
            match scope.literal(parameter.name) {
                Some(name) => {
                    target = name;
                    parameter.name = &target;
                }
                None => {
                    fields.piece(variable(parameter.name, Guard::None, quoting));
                    return;
                }
            }
        }
        if parameter.name == "_" && parameter.operation == Operation::None {
            fields.piece(Piece::Unknown);
            return;
        }
        match self.lookup(&parameter, scope) {
            Some(found) => self.known(found, &parameter, quoting, site, scope, fields),
            None => self.unknown(&parameter, quoting, site, scope, fields),
        }
    }

    fn lookup(&self, parameter: &Parameter<'_>, scope: &Scope) -> Option<Found> {
        let spread = |words: &[Word], index: &str| Found::Fields(words.to_vec(), index == "*");
        let one = |word: Option<&Word>| Found::One(word.cloned().unwrap_or_default());
        match parameter.name {
            name @ ("@" | "*") => Some(spread(scope.arguments.as_ref()?, name)),
            "#" => {
                let count = scope.arguments.as_ref()?.len();
                Some(Found::One(Word::text(&count.to_string(), Span::default())))
            }
            "0" => scope.name.clone().map(Found::One),
            name if name.starts_with(|first: char| first.is_ascii_digit()) => {
                let index = name.parse::<usize>().ok()?.checked_sub(1)?;
                Some(one(scope.arguments.as_ref()?.get(index)))
            }
            "IFS" if scope.get("IFS").is_none() => {
                Some(Found::One(Word::text(" \t\n", Span::default())))
            }
            "PWD" if scope.cwd.as_ref().is_some_and(|cwd| cwd.starts_with('/')) => Some(
                Found::One(Word::text(scope.cwd.as_deref()?, Span::default())),
            ),
            name => match (scope.get(name)?, parameter.index) {
                (Value::Array(words), Some(index @ ("@" | "*"))) => Some(spread(words, index)),
                (Value::Array(words), Some(index)) => {
                    let index = index.trim().parse::<i64>().ok()?;
                    let count = i64::try_from(words.len()).ok()?;
                    let index = if index < 0 {
                        index.checked_add(count)?
                    } else {
                        index
                    };
                    Some(one(words.get(usize::try_from(index).ok()?)))
                }
                (Value::Array(words), None) => Some(one(words.first())),
                (Value::Scalar(word), None | Some("@" | "*" | "0")) => {
                    Some(Found::One(word.clone()))
                }
                (Value::Scalar(_), Some(_)) => None,
            },
        }
    }

    fn known(
        &mut self,
        found: Found,
        parameter: &Parameter<'_>,
        quoting: Quoting,
        site: Site<'_>,
        scope: &mut Scope,
        fields: &mut Fields,
    ) {
        let word = match found {
            Found::Fields(words, joined) => {
                let plain = matches!(parameter.operation, Operation::None | Operation::Keep)
                    || !words.is_empty()
                        && matches!(parameter.operation, Operation::Default { .. });
                return match (plain, parameter.operation) {
                    (true, _) => fields.values(&words, joined, quoting),
                    (false, Operation::Substring { offset, length }) => {
                        match slice(&words, offset, length, parameter.index.is_none()) {
                            Some(words) => fields.values(&words, joined, quoting),
                            None => fields.piece(variable(parameter.name, Guard::None, quoting)),
                        }
                    }
                    (false, Operation::Length) => {
                        fields.literal(&words.len().to_string(), Quoting::Quoted);
                    }
                    _ => self.unknown(parameter, quoting, site, scope, fields),
                };
            }
            Found::One(word) => word,
        };
        let empty_word = word.pieces.is_empty();
        let value = match parameter.operation {
            Operation::None | Operation::Keep | Operation::Required => Some(word),
            Operation::Default {
                empty: true,
                word: other,
                assigns,
            } if empty_word => {
                let value = self.expand_value(other, site, scope);
                if assigns {
                    scope.set_word(parameter.name, value.clone());
                }
                Some(value)
            }
            Operation::Default { .. } => Some(word),
            Operation::Alternative { empty: true, .. } if empty_word => Some(word),
            Operation::Alternative { word: other, .. } => {
                Some(self.expand_value(other, site, scope))
            }
            operation => {
                let literal = word.literal();
                literal.and_then(|literal| self.changed(&literal, operation, site, scope))
            }
        };
        match value {
            Some(word) => fields.value(&word, quoting),
            None => fields.piece(variable(parameter.name, Guard::None, quoting)),
        }
    }

    /// Applies an operation to a known text.
    fn changed(
        &mut self,
        value: &str,
        operation: Operation<'_>,
        site: Site<'_>,
        scope: &mut Scope,
    ) -> Option<Word> {
        let text = match operation {
            Operation::Length => value.chars().count().to_string(),
            Operation::Substring { offset, length } => parameter::substring(value, offset, length)?,
            Operation::RemovePrefix { pattern, longest } => {
                parameter::remove(value, &self.pattern(pattern, site, scope)?, true, longest)?
            }
            Operation::RemoveSuffix { pattern, longest } => {
                parameter::remove(value, &self.pattern(pattern, site, scope)?, false, longest)?
            }
            Operation::Replace { pattern, text, at } => {
                let text = self.expand_value(text, site, scope).literal()?;
                self.replaced(value, pattern, &text, at, site, scope)?
            }
            Operation::Case { upper, all } => parameter::change_case(value, upper, all),
            _ => return None,
        };
        Some(Word::text(&text, site.span))
    }

    fn replaced(
        &mut self,
        value: &str,
        pattern: &str,
        text: &str,
        at: Anchor,
        site: Site<'_>,
        scope: &mut Scope,
    ) -> Option<String> {
        parameter::replace(value, &self.pattern(pattern, site, scope)?, text, at)
    }

    /// The text of a pattern, quoted characters escaped.
    fn pattern(&mut self, raw: &str, site: Site<'_>, scope: &mut Scope) -> Option<String> {
        let mut fields = Fields::new(site.span, None);
        let parts = lex::word(raw);
        self.parts(
            &parts,
            Tilde::Never,
            Quoting::OneWord,
            site,
            scope,
            &mut fields,
        );
        let mut out = String::new();
        for piece in fields.finish_as_one().pieces {
            match piece {
                Piece::Text { value, quoted } => {
                    for character in value.chars() {
                        if quoted && !character.is_alphanumeric() {
                            out.push('\\');
                        }
                        out.push(character);
                    }
                }
                Piece::Glob(pattern) => out.push_str(&pattern),
                _ => return None,
            }
        }
        Some(out)
    }

    fn unknown(
        &mut self,
        parameter: &Parameter<'_>,
        quoting: Quoting,
        site: Site<'_>,
        scope: &mut Scope,
        fields: &mut Fields,
    ) {
        let name = parameter.name;
        let guard = match parameter.operation {
            Operation::Required => Guard::Required,
            Operation::None if NEVER_EMPTY.contains(&name) => Guard::Required,
            Operation::Length => {
                fields.piece(Piece::Unknown);
                return;
            }
            Operation::Default { word, assigns, .. } => {
                let default = self.expand_value(word, site, scope);
                let guard = Guard::Default(default.literal().unwrap_or_else(|| default.shown()));
                if assigns {
                    let piece = variable(name, guard.clone(), Quoting::Quoted);
                    scope.set_word(
                        name,
                        Word {
                            pieces: vec![piece],
                            span: site.span,
                        },
                    );
                }
                guard
            }
            Operation::Alternative { word, .. } => {
                self.expand_value(word, site, scope);
                Guard::None
            }
            _ => Guard::None,
        };
        fields.piece(variable(name, guard, quoting));
    }
}

enum Found {
    One(Word),
    Fields(Vec<Word>, bool),
}

fn variable(name: &str, guard: Guard, quoting: Quoting) -> Piece {
    Piece::Variable {
        name: name.to_owned(),
        guard,
        quoted: quoting == Quoting::Quoted,
    }
}

/// `${@:2}`, `${a[@]:1:2}`; `$0` counts as the first of the arguments.
fn slice(words: &[Word], offset: &str, length: Option<&str>, arguments: bool) -> Option<Vec<Word>> {
    let offset = offset.trim().parse::<usize>().ok()?;
    let offset = if arguments {
        offset.checked_sub(1)?
    } else {
        offset
    };
    let length = match length {
        Some(length) => length.trim().parse::<usize>().ok()?,
        None => words.len(),
    };
    Some(words.iter().skip(offset).take(length).cloned().collect())
}

/// The name in front of `=` or `+=`, if the word looks like an assignment.
pub(super) fn assigned_name(raw: &str) -> Option<&str> {
    let end = super::quoting::name_end(raw.as_bytes(), 0);
    let (name, rest) = raw.split_at_checked(end)?;
    let named = name.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic());
    (named && (rest.starts_with('=') || rest.starts_with("+="))).then_some(name)
}

/// Where a tilde is special.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tilde {
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
