/* global document */
// Parts that temporarily cover the page: the menus in its header, and tooltips.
(() => {
    setUpSwitchers();
    setUpTooltips();

    /** Closes the menus of versions and languages when they lose the focus, because open menus cover the page. */
    function setUpSwitchers() {
        const switchers = [...document.querySelectorAll(".switcher")];
        const closeAllBut = (kept) => switchers.forEach((switcher) => (switcher.open &&= switcher === kept));
        document.addEventListener("click", ({ target }) => closeAllBut(target.closest(".switcher")));
        for (const switcher of switchers) {
            switcher.addEventListener("focusout", ({ relatedTarget }) => {
                switcher.open &&= relatedTarget === null || switcher.contains(relatedTarget);
            });
            switcher.addEventListener("keydown", (event) => {
                const { key } = event;
                if (key === "Escape" && switcher.open) {
                    switcher.open = false;
                    switcher.querySelector("summary").focus();
                }
                const step = { ArrowDown: 1, ArrowUp: -1 }[key];
                if (step !== undefined) {
                    event.preventDefault();
                    switcher.open = true;
                    const stops = [...switcher.querySelectorAll("summary, li :is(a, button):not([hidden])")];
                    const at = stops.indexOf(document.activeElement) + step;
                    stops[(at + stops.length) % stops.length].focus();
                }
            });
        }
    }

    /** Keeps hints within the window, and lets Escape close them. */
    function setUpTooltips() {
        const margin = 16;
        for (const tooltip of document.querySelectorAll(".tooltip")) {
            const text = tooltip.querySelector(".tooltip-text");
            const place = () => {
                tooltip.classList.remove("closed", "below");
                text.style.translate = "";
                const { left, right, top } = text.getBoundingClientRect();
                const tooFarRight = Math.max(0, right - (document.documentElement.clientWidth - margin));
                const tooFarLeft = Math.max(0, margin - left);
                text.style.translate = `${tooFarLeft - tooFarRight}px`;
                tooltip.classList.toggle("below", top < document.querySelector(".top").offsetHeight);
            };
            tooltip.addEventListener("pointerenter", place);
            tooltip.addEventListener("focusin", place);
        }
        document.addEventListener("keydown", ({ key }) => {
            if (key === "Escape") {
                document.querySelectorAll(".tooltip").forEach(({ classList }) => classList.add("closed"));
            }
        });
    }
})();
