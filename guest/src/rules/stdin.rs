//! What a command reads on its standard input, as far as the text tells.

use super::report::Call;
use crate::syntax::{Piece, RedirectKind, Stdin, Via, Word};

/// The text that the command reads, where the line spells it out (a here-document, `echo … |`).
pub(super) fn text(call: &Call<'_>) -> Option<String> {
    call.all.input(call.index).map(Word::shown)
}

/// The text that `<(…)` in one of the command's words holds, where it is known.
pub(super) fn substituted_text(call: &Call<'_>) -> Option<String> {
    let process = call
        .all
        .processes
        .iter()
        .find(|process| process.invocation == call.index)?;
    process.text.as_ref().map(Word::shown)
}

/// Whether something answers the command's questions with "yes".
pub(super) fn answers_yes(call: &Call<'_>) -> bool {
    let is_yes = |index: &usize| {
        call.all
            .invocations
            .get(*index)
            .and_then(|i| i.program.as_deref())
            == Some("yes")
    };
    match &call.invocation().stdin {
        Stdin::Pipe(sources) if sources.iter().any(is_yes) => true,
        Stdin::Inherited | Stdin::File(_) => reads_substitution(call) && substitutes_yes(call),
        Stdin::Pipe(_) | Stdin::Text(_) => {
            text(call).is_some_and(|text| text.trim_start().starts_with(['y', 'Y']))
        }
    }
}

/// `< <(…)`.
fn reads_substitution(call: &Call<'_>) -> bool {
    let substitution = |piece: &Piece| matches!(piece, Piece::Substitution | Piece::Unknown);
    let from_file = matches!(&call.invocation().stdin, Stdin::File(word) if word.is_dynamic());
    from_file
        || call.invocation().redirects.iter().any(|redirect| {
            redirect.kind == RedirectKind::Read && redirect.target.pieces.iter().any(substitution)
        })
}

fn substitutes_yes(call: &Call<'_>) -> bool {
    call.all.invocations.iter().any(|inner| {
        inner.program.as_deref() == Some("yes") && inner.via.contains(&Via::ProcessSubstitution)
    })
}
