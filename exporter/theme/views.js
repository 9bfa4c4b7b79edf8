/* global document, window */
// Variants of a page's content: a menu shows one of them. Without scripts all are shown.
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

    /** A link to a part of a view must show the part. */
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
