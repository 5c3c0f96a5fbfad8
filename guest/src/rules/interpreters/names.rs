//! Names that stand for something else: imports under another name, variables that hold a literal.

use super::scan::Token;
use super::table::effect;

/// Replaces such names by what they stand for: `from shutil import rmtree as r`, `c = "rm x"`.
pub(super) fn resolve(tokens: &mut [Token]) {
    let mut known = Known::default();
    let mut at = 0;
    while at < tokens.len() {
        let length = known.learn(&tokens[at..]);
        if length == 0
            && let Token::Name(name) = &tokens[at]
            && let Some(meaning) = known.meaning(name)
        {
            tokens[at] = meaning;
        }
        at += length.max(1);
    }
}

/// What names stand for so far.
#[derive(Default)]
struct Known(Vec<(String, Token)>);

impl Known {
    fn add(&mut self, name: &str, meaning: Token) {
        self.0.push((name.to_owned(), meaning));
    }

    /// Learns from a definition at the beginning of the tokens; tells how many it takes.
    fn learn(&mut self, tokens: &[Token]) -> usize {
        match tokens {
            [
                Token::Name(from),
                Token::Name(module),
                Token::Name(import),
                items @ ..,
            ] if from == "from" && import == "import" => 3 + self.learn_items(module, items),
            [
                Token::Name(import),
                Token::Name(module),
                Token::Name(separator),
                Token::Name(alias),
                ..,
            ] if import == "import" && separator == "as" => {
                self.add(alias, Token::Name(module.clone()));
                4
            }
            [
                Token::Name(variable),
                Token::Mark('='),
                text @ Token::Text(_),
                ..,
            ] => {
                self.add(variable, text.clone());
                3
            }
            // `x = os.system`
            [
                Token::Name(variable),
                Token::Mark('='),
                Token::Name(name),
                rest @ ..,
            ] if effect(name).is_some() && rest.first() != Some(&Token::Mark('(')) => {
                let name = self
                    .meaning(name)
                    .unwrap_or_else(|| Token::Name(name.clone()));
                self.add(variable, name);
                3
            }
            // `{execSync: e} = require(…)`
            [
                Token::Mark('{' | ','),
                Token::Name(name),
                Token::Mark(':'),
                Token::Name(alias),
                ..,
            ] if effect(name).is_some() => {
                self.add(alias, Token::Name(name.clone()));
                0
            }
            [Token::Mark('{'), Token::Name(pair), ..] => {
                if let Some((name, alias)) = pair.split_once(':') {
                    self.add(alias, Token::Name(name.to_owned()));
                }
                0
            }
            _ => 0,
        }
    }

    /// `a, b as c` behind `from module import`; how many tokens they are.
    fn learn_items(&mut self, module: &str, tokens: &[Token]) -> usize {
        let mut taken = 0;
        loop {
            match &tokens[taken..] {
                [
                    Token::Name(item),
                    Token::Name(separator),
                    Token::Name(alias),
                    ..,
                ] if separator == "as" => {
                    self.add(alias, Token::Name(format!("{module}.{item}")));
                    taken += 3;
                }
                [Token::Name(item), ..] => {
                    self.add(item, Token::Name(format!("{module}.{item}")));
                    taken += 1;
                }
                _ => return taken,
            }
            match tokens.get(taken) {
                Some(Token::Mark(',')) => taken += 1,
                _ => return taken,
            }
        }
    }

    fn meaning(&self, name: &str) -> Option<Token> {
        self.0
            .iter()
            .rev()
            .find_map(|(alias, meaning)| match meaning {
                Token::Name(path) => {
                    let rest = name.strip_prefix(alias.as_str())?;
                    let whole = rest.is_empty() || rest.starts_with('.');
                    whole.then(|| Token::Name(format!("{path}{rest}")))
                }
                text => (name == alias).then(|| text.clone()),
            })
    }
}
