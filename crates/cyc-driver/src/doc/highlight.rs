//! Code as HTML: what the kinds of words look like, and where the names of types lead.

/// Words that are no keywords, and read like them.
const LIKE_KEYWORDS: &[&str] = &["alias", "bool", "false", "open", "rcnew", "size_t", "string_t", "true", "unew"];

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// `link` tells where a word leads.
pub(super) fn code(text: &str, link: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = |from: usize| {
            rest[from..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(rest.len(), |n| n + from)
        };
        let (class, end) = match c {
            '`' => ("v", word(1)),
            '"' => ("s", rest[1..].find('"').map_or(rest.len(), |n| n + 2)),
            '/' if rest.starts_with("//") => ("c", rest.find('\n').unwrap_or(rest.len())),
            '@' | '?' | '*' => ("p", 1),
            c if c.is_alphabetic() || c == '_' || c == '#' => ("", word(c.len_utf8())),
            c => ("", c.len_utf8()),
        };
        let piece = &rest[..end];
        let shown = escape(piece);
        if !class.is_empty() {
            out.push_str(&format!("<span class={class}>{shown}</span>"));
        } else if cyc_syntax::is_keyword(piece) || LIKE_KEYWORDS.contains(&piece) || piece.starts_with('#') {
            out.push_str(&format!("<span class=k>{shown}</span>"));
        } else if let Some(target) = link(piece) {
            out.push_str(&format!("<a href=\"{target}\">{shown}</a>"));
        } else {
            out.push_str(&shown);
        }
        rest = &rest[end..];
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_have_their_looks() {
        let link = |word: &str| (word == "list_t").then(|| "list.html#list_t".to_string());
        let html = super::code("int f(list_t<`a> x)", &link);
        let expected =
            "<span class=k>int</span> f(<a href=\"list.html#list_t\">list_t</a>&lt;<span class=v>`a</span>&gt; x)";
        assert_eq!(html, expected);
        assert_eq!(super::code("\"<", &|_| None), "<span class=s>&quot;&lt;</span>");
    }
}
