/* global document, window, IntersectionObserver */
// Draws a page's diagrams when the drawing script has loaded, and again when readers change the colours.
window.staticExportDrawDiagrams = (isDark) => {
    /** A wide diagram scrolls instead of shrinking its letters below this fraction of the text size. */
    const minScale = 0.6;
    const texts = new Map([...document.querySelectorAll(".mermaid")].map((element) => [element, element.textContent]));
    // Diagrams in closed sections and hidden tabs have no size until readers open these parts.
    const observer = new IntersectionObserver(
        (entries) => {
            const nodes = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
            nodes.forEach((node) => observer.unobserve(node));
            void window.mermaid
                .run({ nodes, suppressErrors: true, postRenderCallback: finish })
                .then(() => nodes.filter((node) => node.querySelector("svg") === null).forEach(showSource));
        },
        { rootMargin: "10000000px 0px" },
    );
    /** Mermaid empties the element of a diagram that it cannot draw. */
    const showSource = (node) => {
        node.textContent = texts.get(node);
    };
    const finish = (id) => {
        const drawing = document.getElementById(id);
        // Mermaid names only a drawing with `accTitle`.
        if (!drawing.hasAttribute("aria-labelledby")) {
            drawing.setAttribute("aria-label", drawing.closest(".mermaid").getAttribute("aria-label"));
        }
        drawing.style.minWidth = `${Math.round(drawing.viewBox.baseVal.width * minScale)}px`;
    };
    const draw = () => {
        const theme = isDark() ? "dark" : "default";
        const themeVariables = isDark() ? { edgeLabelBackground: "#2a303c" } : {};
        const always = { startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true };
        window.mermaid.initialize({ ...always, theme, themeVariables });
        for (const [element, text] of texts) {
            element.textContent = text;
            element.removeAttribute("data-processed");
            observer.observe(element);
        }
    };
    document.querySelector(".theme-switch").addEventListener("click", draw);
    draw();
};
