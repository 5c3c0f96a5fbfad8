//! Redirections of a command: their targets, and what they put on its standard input.

use brush_parser::ast;

use super::expand::Site;
use super::invocation::{Redirect, RedirectKind, Stdin, Via};
use super::scope::Scope;
use super::walk::{Output, Place, Walker};
use super::word::{Piece, Word};

/// The redirections of one command.
#[derive(Debug, Default)]
pub(super) struct Redirected {
    pub redirects: Vec<Redirect>,
    /// Where standard input comes from, if the redirections say so, and its text.
    pub stdin: Option<(Stdin, Output)>,
}

impl Redirected {
    /// Makes them hold at a place.
    pub(super) fn apply(&self, place: &mut Place) {
        place.redirects.splice(0..0, self.redirects.iter().cloned());
        if let Some((stdin, input)) = &self.stdin {
            place.stdin = stdin.clone();
            place.input = input.clone();
        }
    }
}

impl Walker {
    /// Reads redirections in order. `slot` is the invocation that they belong to, for `> >(…)`.
    pub(super) fn redirects<'r>(
        &mut self,
        redirects: impl IntoIterator<Item = &'r ast::IoRedirect>,
        slot: Option<usize>,
        site: Site<'_>,
        scope: &mut Scope,
    ) -> Redirected {
        let mut redirected = Redirected::default();
        for redirect in redirects {
            self.redirect(redirect, slot, site, scope, &mut redirected);
        }
        redirected
    }

    fn redirect(
        &mut self,
        redirect: &ast::IoRedirect,
        slot: Option<usize>,
        site: Site<'_>,
        scope: &mut Scope,
        redirected: &mut Redirected,
    ) {
        match redirect {
            ast::IoRedirect::File(fd, kind, target) => {
                self.file(*fd, kind, target, slot, site, scope, redirected);
            }
            ast::IoRedirect::OutputAndError(target, append) => {
                let target = self.target(target, site, scope);
                let kind = if *append {
                    RedirectKind::Append
                } else {
                    RedirectKind::Write
                };
                let span = target.span;
                redirected.redirects.push(Redirect {
                    kind,
                    fd: None,
                    target,
                    span,
                });
            }
            ast::IoRedirect::HereDocument(fd, document) => {
                let raw = &document.doc.value;
                let text = if document.requires_expansion {
                    self.expand_document(raw, site, scope)
                } else {
                    quoted(raw, site)
                };
                self.text_on(*fd, text, redirected);
            }
            ast::IoRedirect::HereString(fd, word) => {
                let mut text = self.expand_value(&word.value, site, scope);
                text.push_text("\n");
                self.text_on(*fd, text, redirected);
            }
        }
    }

    /// A text on standard input, or on another descriptor that is read by its path.
    fn text_on(&mut self, fd: Option<i32>, text: Word, redirected: &mut Redirected) {
        match fd {
            None | Some(0) => {
                redirected.stdin = Some((Stdin::Text(text.clone()), Some(text)));
            }
            Some(fd) => self.files.write(&descriptor_path(fd), Some(text), false),
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one redirection and where it stands"
    )]
    fn file(
        &mut self,
        fd: Option<i32>,
        kind: &ast::IoFileRedirectKind,
        target: &ast::IoFileRedirectTarget,
        slot: Option<usize>,
        site: Site<'_>,
        scope: &mut Scope,
        redirected: &mut Redirected,
    ) {
        let reads = matches!(kind, ast::IoFileRedirectKind::Read);
        let of_input = reads && matches!(fd, None | Some(0));
        let (kind, fd) = match kind {
            ast::IoFileRedirectKind::Read => (RedirectKind::Read, fd),
            ast::IoFileRedirectKind::Write | ast::IoFileRedirectKind::Clobber => {
                (RedirectKind::Write, fd)
            }
            ast::IoFileRedirectKind::Append => (RedirectKind::Append, fd),
            ast::IoFileRedirectKind::ReadAndWrite => (RedirectKind::ReadWrite, fd.or(Some(0))),
            ast::IoFileRedirectKind::DuplicateInput => (RedirectKind::Duplicate, fd.or(Some(0))),
            ast::IoFileRedirectKind::DuplicateOutput => (RedirectKind::Duplicate, fd.or(Some(1))),
        };
        let (target, kind, fd) = match target {
            ast::IoFileRedirectTarget::Filename(word) => (self.target(word, site, scope), kind, fd),
            ast::IoFileRedirectTarget::Fd(number) => {
                (Word::text(&number.to_string(), site.span), kind, fd)
            }
            ast::IoFileRedirectTarget::Duplicate(word) => {
                let target = self.target(word, site, scope);
                let text = target.literal();
                let is_descriptor = text.as_ref().is_none_or(|text| {
                    !text.is_empty()
                        && text
                            .bytes()
                            .all(|byte| byte.is_ascii_digit() || byte == b'-')
                });
                // `<&3` reads what was put on that descriptor.
                if fd == Some(0)
                    && let Some(number) = text.as_ref().and_then(|text| text.parse().ok())
                    && let Some(text) = self.files.get(&descriptor_path(number)).cloned()
                {
                    redirected.stdin = Some((Stdin::Text(text.clone()), Some(text)));
                }
                // `>& file` writes both streams there.
                if !is_descriptor && fd == Some(1) {
                    (target, RedirectKind::Write, None)
                } else {
                    (target, kind, fd)
                }
            }
            ast::IoFileRedirectTarget::ProcessSubstitution(direction, subshell) => {
                let (stages, text) = self.process(direction, subshell, slot, site, scope);
                if of_input {
                    redirected.stdin = Some((Stdin::Pipe(stages), text));
                }
                (
                    Word {
                        pieces: vec![Piece::Substitution],
                        span: site.span,
                    },
                    kind,
                    fd,
                )
            }
        };
        if of_input && (redirected.stdin.is_none() || !is_substitution(&target)) {
            let text = target
                .literal()
                .and_then(|path| self.files.get(&path).cloned());
            redirected.stdin = Some((Stdin::File(target.clone()), text));
        }
        let span = target.span;
        redirected.redirects.push(Redirect {
            kind,
            fd,
            target,
            span,
        });
    }

    /// The word of a target; bash refuses one that becomes several words.
    fn target(&mut self, word: &ast::Word, site: Site<'_>, scope: &mut Scope) -> Word {
        let span = site.place.span(word.loc.as_ref()).unwrap_or(site.span);
        let site = Site { span, ..site };
        let mut words = self.expand(&word.value, site, scope);
        match words.len() {
            1 => words.swap_remove(0),
            _ => Word {
                pieces: vec![Piece::Unknown],
                span,
            },
        }
    }

    /// Walks `<(…)` or `>(…)`: the invocations inside, and what it yields.
    pub(super) fn process(
        &mut self,
        direction: &ast::ProcessSubstitutionKind,
        subshell: &ast::SubshellCommand,
        slot: Option<usize>,
        site: Site<'_>,
        scope: &Scope,
    ) -> (Vec<usize>, Output) {
        let writes = matches!(direction, ast::ProcessSubstitutionKind::Write);
        let mut place = Place {
            redirects: Vec::new(),
            forked: true,
            ..site.place.by(Via::ProcessSubstitution)
        };
        if writes {
            place.stdin = Stdin::Pipe(slot.into_iter().collect());
        }
        let start = self.out.invocations.len();
        let text = self.list(&subshell.list, &mut scope.clone(), &place);
        (self.stage(start, place.via.len()), text.filter(|_| !writes))
    }
}

fn descriptor_path(fd: i32) -> String {
    format!("/dev/fd/{fd}")
}

fn is_substitution(word: &Word) -> bool {
    matches!(word.pieces.as_slice(), [Piece::Substitution])
}

/// Text in which nothing applies.
fn quoted(text: &str, site: Site<'_>) -> Word {
    let pieces = if text.is_empty() {
        Vec::new()
    } else {
        vec![Piece::Text {
            value: text.to_owned(),
            quoted: true,
        }]
    };
    Word {
        pieces,
        span: site.span,
    }
}
