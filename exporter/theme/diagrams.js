/* global document, window, IntersectionObserver */
// Draws a page's diagrams once the script that can is there, and again when readers change the colours.
window.staticExportDrawDiagrams = (isDark) => {
    /** A wide diagram scrolls before its letters are smaller than this share of the text's. */
    const minScale = 0.6;
    const texts = new Map([...document.querySelectorAll(".mermaid")].map((element) => [element, element.textContent]));
    // What is closed or in a tab behind another one has no size to be drawn in, until it is shown.
    const observer = new IntersectionObserver(
        (entries) => {
            const nodes = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
            nodes.forEach((node) => observer.unobserve(node));
            void window.mermaid.run({ nodes, suppressErrors: true, postRenderCallback: keepReadable });
        },
        { rootMargin: "10000000px 0px" },
    );
    const keepReadable = (id) => {
        const drawing = document.getElementById(id);
        drawing.style.minWidth = `${Math.round(drawing.viewBox.baseVal.width * minScale)}px`;
    };
    const draw = () => {
        const theme = isDark() ? "dark" : "default";
        const themeVariables = isDark() ? { edgeLabelBackground: "#2a303c" } : {};
        window.mermaid.initialize({ startOnLoad: false, securityLevel: "strict", theme, themeVariables });
        for (const [element, text] of texts) {
            element.textContent = text;
            element.removeAttribute("data-processed");
            observer.observe(element);
        }
    };
    document.querySelector(".theme-switch").addEventListener("click", draw);
    draw();
};
