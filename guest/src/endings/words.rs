//! The words of a bash command as text, as far as an exit code's meaning depends on them.

use brush_parser::ast::{
    self, AssignmentName, AssignmentValue, CommandPrefixOrSuffixItem as Item, IoFileRedirectTarget,
    IoRedirect,
};

/// A word after quote removal; what only running the command would tell stays as written.
pub(super) fn literal(word: &ast::Word) -> String {
    let mut out = String::with_capacity(word.value.len());
    let mut chars = word.value.chars().peekable();
    let mut quote = None;
    while let Some(letter) = chars.next() {
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (None, '$') if matches!(chars.peek(), Some('\'' | '"')) => {}
            (Some(open), _) if open == letter => quote = None,
            (None, '\\') => out.extend(chars.next()),
            (Some('"'), '\\') => match chars.peek() {
                Some('"' | '\\' | '$' | '`') => out.extend(chars.next()),
                _ => out.push('\\'),
            },
            _ => out.push(letter),
        }
    }
    out
}

/// A command's arguments.
pub(super) fn arguments(simple: &ast::SimpleCommand) -> Vec<String> {
    suffix(simple)
        .filter_map(|item| match item {
            Item::Word(word) | Item::AssignmentWord(_, word) => Some(literal(word)),
            Item::ProcessSubstitution(..) => Some("/dev/fd/63".to_owned()),
            Item::IoRedirect(_) => None,
        })
        .collect()
}

/// A command's first argument as written.
pub(super) fn first_argument(simple: &ast::SimpleCommand) -> Option<&str> {
    suffix(simple).find_map(|item| match item {
        Item::Word(word) => Some(word.value.as_str()),
        _ => None,
    })
}

/// Whether it is `exit` or `return`.
pub(super) fn is_exit(simple: &ast::SimpleCommand) -> bool {
    simple
        .word_or_name
        .as_ref()
        .is_some_and(|word| matches!(word.value.as_str(), "exit" | "return"))
}

/// The literal files that a command is redirected from or to.
pub(super) fn files_of(simple: &ast::SimpleCommand) -> Vec<String> {
    files(
        prefix(simple)
            .chain(suffix(simple))
            .filter_map(|item| match item {
                Item::IoRedirect(redirect) => Some(redirect),
                _ => None,
            }),
    )
}

/// The here-document or here-string that a command reads.
pub(super) fn input(simple: &ast::SimpleCommand) -> Option<String> {
    prefix(simple)
        .chain(suffix(simple))
        .fold(None, |text, item| match item {
            Item::IoRedirect(IoRedirect::HereDocument(None | Some(0), document)) => {
                Some(document.doc.value.clone())
            }
            Item::IoRedirect(IoRedirect::HereString(None | Some(0), word)) => Some(literal(word)),
            _ => text,
        })
}

/// The literal files of redirections.
pub(super) fn files<'a>(redirects: impl Iterator<Item = &'a IoRedirect>) -> Vec<String> {
    redirects
        .filter_map(|redirect| match redirect {
            IoRedirect::File(_, _, IoFileRedirectTarget::Filename(word))
            | IoRedirect::OutputAndError(word, _) => Some(literal(word)),
            _ => None,
        })
        .collect()
}

/// The variables that an assignment sets to `$?`.
pub(super) fn status_variables(simple: &ast::SimpleCommand) -> impl Iterator<Item = &str> {
    prefix(simple)
        .chain(suffix(simple))
        .filter_map(|item| match item {
            Item::AssignmentWord(assignment, _) => match (&assignment.name, &assignment.value) {
                (AssignmentName::VariableName(name), AssignmentValue::Scalar(value))
                    if value.value.trim_matches('"') == "$?" =>
                {
                    Some(name.as_str())
                }
                _ => None,
            },
            _ => None,
        })
}

/// The variables that assignments set to a text without expansions, and the texts.
pub(super) fn assigned_texts(simple: &ast::SimpleCommand) -> impl Iterator<Item = (&str, String)> {
    prefix(simple).filter_map(|item| match item {
        Item::AssignmentWord(assignment, _) => match (&assignment.name, &assignment.value) {
            (AssignmentName::VariableName(name), AssignmentValue::Scalar(value))
                if !value.value.contains(['$', '`']) =>
            {
                Some((name.as_str(), literal(value)))
            }
            _ => None,
        },
        _ => None,
    })
}

/// The name, if a word is nothing but one variable: `$x`, `"${x}"`.
pub(super) fn variable(word: &str) -> Option<&str> {
    let name = word.trim_matches('"').strip_prefix('$')?;
    let name = name
        .strip_prefix('{')
        .and_then(|name| name.strip_suffix('}'))
        .unwrap_or(name);
    let plain = name
        .bytes()
        .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
    (plain && !name.is_empty()).then_some(name)
}

/// The script of `x=$(script)`, where the last assignment is nothing but a substitution.
pub(super) fn assigned_substitution(simple: &ast::SimpleCommand) -> Option<String> {
    let value = prefix(simple).filter_map(|item| match item {
        Item::AssignmentWord(assignment, _) => match &assignment.value {
            AssignmentValue::Scalar(word) => Some(word.value.as_str()),
            AssignmentValue::Array(_) => None,
        },
        _ => None,
    });
    let value = value.last()?;
    let value = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(value);
    if let Some(script) = value
        .strip_prefix("$(")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        return (!script.starts_with('(')).then(|| script.to_owned());
    }
    value
        .strip_prefix('`')?
        .strip_suffix('`')
        .map(str::to_owned)
}

fn prefix(simple: &ast::SimpleCommand) -> impl Iterator<Item = &Item> {
    simple.prefix.iter().flat_map(|prefix| &prefix.0)
}

fn suffix(simple: &ast::SimpleCommand) -> impl Iterator<Item = &Item> {
    simple.suffix.iter().flat_map(|suffix| &suffix.0)
}
