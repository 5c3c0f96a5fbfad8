//! Columns of text, aligned.

/// Lays rows out: each column as wide as its widest cell, the last one as it is.
pub fn align<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            text.push_str(cell);
            if column + 1 < N {
                let blanks = widths[column] - cell.chars().count() + 2;
                text.extend(std::iter::repeat_n(' ', blanks));
            }
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_they_must_be() {
        let rows = [["a", "bb", "c"], ["ddd", "e", ""]].map(|row| row.map(str::to_owned));
        assert_eq!(align(&rows), "a    bb  c\nddd  e\n");
    }
}
