//! A command with the offending text underlined, as compilers show it.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::envelope::{FindingView, OpaqueView};

/// What is shown of a span: its kind, the rule that it belongs to, what is said of it, and where it is.
pub struct Remark<'a> {
    level: Level<'static>,
    rule: Option<&'a str>,
    text: &'a str,
    span: [u32; 2],
}

impl<'a> Remark<'a> {
    /// Something that a rule found.
    pub fn found(finding: &'a FindingView) -> Self {
        Self {
            level: match finding.severity.as_ref() {
                "danger" => Level::ERROR.with_name("danger"),
                "caution" => Level::WARNING.with_name("caution"),
                _ => Level::NOTE,
            },
            rule: Some(&finding.rule),
            text: &finding.message,
            span: finding.span,
        }
    }

    /// Something that could not be understood.
    pub fn opaque(part: &'a OpaqueView) -> Self {
        Self {
            level: Level::INFO.with_name("opaque"),
            rule: None,
            text: &part.reason,
            span: part.span,
        }
    }

    fn group(&self, command: &'a str) -> Group<'a> {
        let title = self.level.clone().primary_title(self.text);
        let title = match self.rule {
            Some(rule) => title.id(rule),
            None => title,
        };
        let [start, end] = self.span.map(|at| at as usize);
        title.element(Snippet::source(command).annotation(AnnotationKind::Primary.span(start..end)))
    }
}

/// The command under each remark, with its span underlined.
pub fn render(command: &str, remarks: &[Remark<'_>], colour: bool) -> String {
    let renderer = if colour {
        Renderer::styled().decor_style(DecorStyle::Ascii)
    } else {
        Renderer::plain()
    };
    remarks
        .iter()
        .map(|remark| renderer.render(&[remark.group(command)]) + "\n\n")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_offending_text_is_underlined() {
        let finding = FindingView {
            rule: "fs.x".into(),
            severity: "danger".into(),
            message: "deletes all".into(),
            span: [8, 16],
        };
        let text = render("echo hi\nrm -rf ~\n", &[Remark::found(&finding)], false);
        let expected = "\
danger[fs.x]: deletes all
  |
2 | rm -rf ~
  | ^^^^^^^^
";
        assert!(text.contains(expected), "{text}");
    }
}
