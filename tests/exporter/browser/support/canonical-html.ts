/**
 * JavaScript for a browser: a function that returns a page's HTML in a form that can be compared, without what the
 * exporter adds to the elements of Markdown (anchors, identifiers, colours of code, frames around tables).
 */
export const canonicalHtml = String.raw`(html) => {
    const body = new DOMParser().parseFromString(html, "text/html").body;
    body.querySelectorAll("a.anchor, script").forEach((each) => each.remove());
    body.querySelectorAll("span[id]:empty").forEach((each) => each.remove());
    const nodes = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_PROCESSING_INSTRUCTION);
    const comments = [];
    while (nodes.nextNode()) comments.push(nodes.currentNode);
    comments.forEach((comment) => comment.remove());
    // Browsers repeat elements that are open at the end of a paragraph.
    const isEmpty = (element) => element.children.length === 0 && element.textContent.trim() === "";
    for (const name of ["a", "b", "b2", "em", "strong", "p"])
        [...body.querySelectorAll(name)].filter(isEmpty).forEach((each) => each.remove());
    body.querySelectorAll("div.code, div.table, pre code span").forEach((each) => each.replaceWith(...each.childNodes));
    const attributes = ["href", "src", "alt", "title", "start", "type", "checked", "disabled", "align"];
    const blocks = /^(?:ADDRESS|ASIDE|BLOCKQUOTE|BODY|DD|DETAILS|DIV|DL|DT|FIGURE|H[1-6]|HR|LI|OL|P|PRE|SECTION|SUMMARY|TABLE|TBODY|TD|TFOOT|TH|THEAD|TR|UL)$/;
    const isBlock = (node) => node === null || blocks.test(node.nodeName);
    const write = (node, isPre) => {
        if (node.nodeType === Node.TEXT_NODE) {
            let text = isPre ? node.data : node.data.replace(/\s+/g, " ");
            if (!isPre && isBlock(node.previousSibling)) text = text.trimStart();
            if (!isPre && isBlock(node.nextSibling)) text = text.trimEnd();
            return text.replaceAll("<", "&lt;");
        }
        if (node.nodeType !== Node.ELEMENT_NODE) return "";
        const name = node.localName;
        const own = attributes.filter((each) => node.hasAttribute(each)).map((each) => " " + each + '="' + node.getAttribute(each) + '"');
        if (node.style.textAlign !== "") own.push(' align="' + node.style.textAlign + '"');
        const inner = [...node.childNodes].map((each) => write(each, isPre || name === "pre" || name === "textarea")).join("");
        return "<" + name + own.join("") + ">" + inner + "</" + name + ">";
    };
    body.normalize();
    return [...body.childNodes].map((each) => write(each, false)).join("");
}`;
