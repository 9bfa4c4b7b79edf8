/* global document, window */
// Adds a menu that shows one of several variants of a page's content. Without scripts, a page shows all variants.
(() => {
    const views = [...document.querySelectorAll("article .view")];
    const names = [...new Set(views.map(({ dataset }) => dataset.title))];
    if (names.length < 2) {
        return;
    }
    const words = JSON.parse(document.currentScript.dataset.words ?? "{}");
    const chooser = document.createElement("select");
    chooser.className = "chooser";
    chooser.id = "multi-view-dropdown";
    chooser.setAttribute("aria-label", words.section ?? "Section");
    chooser.append(...names.map((name) => new window.Option(name)));
    const show = (name) => {
        chooser.value = name;
        views.forEach((view) => (view.hidden = view.dataset.title !== name));
    };
    chooser.addEventListener("change", () => show(chooser.value));
    views[0].before(chooser);

    /** Shows the view that contains the target of a link. */
    const follow = () => {
        const target = document.querySelector(".view:target, .view :target");
        const view = target?.closest(".view");
        if (view?.hidden) {
            show(view.dataset.title);
            target.scrollIntoView();
        }
    };
    show(names[0]);
    follow();
    window.addEventListener("hashchange", follow);
})();
