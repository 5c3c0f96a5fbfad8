//! What a list changes for the commands behind it: functions, variables, shell options.

use brush_parser::ast;

use super::blame::{Before, Blame};
use super::words;

impl<'a> Blame<'a> {
    /// Takes in what a list changes for those behind it: functions, shell options, `code=$?`.
    pub(super) fn remember(&mut self, list: &'a ast::AndOrList, before: Before<'a>) {
        let mut before = before;
        for (_, pipeline) in list {
            if let [command] = pipeline.seq.as_slice() {
                match command {
                    ast::Command::Function(definition) => {
                        self.functions
                            .insert(&definition.fname.value, &definition.body);
                    }
                    ast::Command::Simple(simple) => {
                        for name in words::status_variables(simple) {
                            self.captured.insert(name, before);
                        }
                        if simple.word_or_name.is_none() {
                            self.variables.extend(words::assigned_texts(simple));
                        }
                        if simple
                            .word_or_name
                            .as_ref()
                            .is_some_and(|word| word.value == "set")
                        {
                            self.apply_set(&words::arguments(simple));
                        }
                    }
                    _ => {}
                }
            }
            before = Before::Pipeline(pipeline);
        }
    }

    fn apply_set(&mut self, args: &[String]) {
        let (pipefail, errexit) = shell_options(args);
        self.pipefail = pipefail.unwrap_or(self.pipefail);
        self.errexit = errexit.unwrap_or(self.errexit);
    }
}

/// Whether `pipefail` and `errexit` are switched on or off by these words of `set` or `bash`.
pub(super) fn shell_options(args: &[String]) -> (Option<bool>, Option<bool>) {
    let (mut pipefail, mut errexit) = (None, None);
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let (on, letters) = match word.strip_prefix('-') {
            Some(letters) if !letters.starts_with('-') => (true, letters),
            Some(_) => break,
            None => match word.strip_prefix('+') {
                Some(letters) => (false, letters),
                None => break,
            },
        };
        if letters.contains('e') {
            errexit = Some(on);
        }
        if letters.contains('o') {
            match words.next().map(String::as_str) {
                Some("pipefail") => pipefail = Some(on),
                Some("errexit") => errexit = Some(on),
                _ => {}
            }
        }
    }
    (pipefail, errexit)
}
