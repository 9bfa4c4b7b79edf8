/* global window, document, navigator */
// Loads the services in the site's settings, and reports readers' actions to these services. Runs only at the site's
// own address, after the reader's consent, and unless the browser asks not to be tracked.
(() => {
    const { consent, hosts, services } = window.staticExportServices;
    delete window.staticExportServices;
    if (!hosts.includes(window.location.hostname) || window.staticExportFeatures?.webAnalytics === false) {
        return;
    }
    const isRefused = navigator.doNotTrack === "1" || navigator.globalPrivacyControl === true;
    const wanted = services.filter(({ kind }) => kind === "support" || !isRefused);
    const receivers = wanted.filter(({ kind }) => kind === "analytics");
    /** Permissions from consent managers; undefined while a permission is unknown. */
    const granted = { osano: undefined, transcend: undefined };
    let isStarted = false;

    if (wanted.length === 0) {
        return;
    }
    if (consent.osano !== undefined) {
        load(consent.osano, {}, followOsano);
    }
    if (consent.transcend !== undefined) {
        window.airgap = {
            readyQueue: [],
            ready(use) {
                this.readyQueue.push(use);
            },
            ...window.airgap,
        };
        window.airgap.ready(followTranscend);
        load(consent.transcend, {});
    }
    check();
    // Checks again, because the site around these pages sets or removes the consent, often in another tab.
    document.addEventListener("visibilitychange", check);
    window.cookieStore?.addEventListener("change", check);

    window.staticExportReport = (name, data = {}) => {
        if (check()) {
            receivers.forEach((service) => sendTo(service, name, data));
        }
    };

    document.addEventListener("click", ({ target }) => {
        const { option } = target.closest(".page-menu [data-option]")?.dataset ?? {};
        if (option !== undefined) {
            window.staticExportReport("docs.contextual.choose", { option });
        } else if (target.closest("button.copy") !== null) {
            window.staticExportReport("docs.code_block.copy");
        }
    });

    function mayRun() {
        const { cookie } = consent;
        const cookies = document.cookie.split("; ");
        return (
            (cookie === undefined ||
                [cookie.value, encodeURIComponent(cookie.value)].some((value) =>
                    cookies.includes(`${cookie.key}=${value}`),
                )) &&
            (consent.osano === undefined || granted.osano === true) &&
            (consent.transcend === undefined || granted.transcend === true)
        );
    }

    /** Starts the services when they may run. Third-party code cannot be unloaded, so a withdrawal reloads the page. */
    function check() {
        const may = mayRun();
        if (may && !isStarted) {
            isStarted = true;
            wanted.forEach(start);
            receivers
                .filter(({ countsPages }) => !countsPages)
                .forEach((service) => sendTo(service, "docs.content.view"));
            askForFeedback();
        } else if (!may && isStarted) {
            window.location.reload();
        }
        return may;
    }

    function followOsano() {
        const read = (given) => {
            granted.osano = given?.ANALYTICS === "ACCEPT";
            check();
        };
        const manager = window.Osano?.cm;
        manager?.addEventListener("osano-cm-initialized", read);
        manager?.addEventListener("osano-cm-consent-saved", read);
    }

    function followTranscend(airgap) {
        const read = () => {
            granted.transcend = airgap.getConsent().purposes.Analytics === true;
            check();
        };
        airgap.addEventListener("consent-change", read);
        read();
    }

    /** Catches errors, so that one service's failure does not stop the others. */
    function attempt(work) {
        try {
            work();
        } catch (error) {
            window.console.warn(error);
        }
    }

    function start(service) {
        service.isLoaded = new Promise((resolve) => {
            attempt(() =>
                service.start((source, attributes, onload) =>
                    load(source, attributes, () => {
                        onload?.();
                        resolve();
                    }),
                ),
            );
        });
    }

    function sendTo(service, name, data = {}) {
        const known = { page: window.location.pathname, ...data };
        void service.isLoaded.then(() => attempt(() => service.send(name, known)));
    }

    function load(source, attributes = {}, onload) {
        const element = document.createElement("script");
        element.async = true;
        Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
        element.src = source;
        element.onload = () => attempt(() => onload?.());
        document.head.append(element);
    }

    function askForFeedback() {
        const group = document.querySelector(".helpful");
        if (group === null || receivers.length === 0) {
            return;
        }
        group.hidden = false;
        for (const button of group.querySelectorAll("button")) {
            button.addEventListener("click", () => {
                window.staticExportReport(`docs.feedback.thumbs_${button.value}`);
                group.querySelectorAll("button").forEach((each) => each.remove());
                group.querySelector("[role=status]").textContent = group.dataset.thanks;
            });
        }
    }
})();
