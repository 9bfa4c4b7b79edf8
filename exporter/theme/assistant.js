/* global document, window, navigator, AbortController, TextDecoderStream */
// The panel in which readers ask the assistant of the deployment. Questions go to the site's own address only.
(() => {
    const { styles, domain, languages, codes } = window.staticExportAssistantSettings;
    const { root } = document.documentElement.dataset;
    const filter = document.querySelector("script[data-filter]")?.dataset.filter;
    const beginningOf = window.staticExportBeginningOf;
    const words = wordsOf(document.documentElement.lang);
    /** These limits match the server's limits. */
    const limits = { question: 4000, context: 8000, messages: 10 };
    const messages = [];
    let panel;

    /**
     * @param question sent immediately, if given
     * @param selection of the page, which the next question is about
     * @param search opens the search with a query; undefined for a site without search
     */
    window.staticExportOpenAssistant = (question, selection, search) => {
        panel ??= createPanel(search);
        panel.open(question, contextOf(selection));
    };

    function createPanel(search) {
        const title = element("h2", { id: "static-export-assistant", textContent: words.assistant });
        const close = button(words.close, () => dialog.close());
        const log = element("div", { className: "assistant-log", tabIndex: 0 });
        log.setAttribute("role", "log");
        log.setAttribute("aria-labelledby", title.id);
        const status = element("p", { className: "assistant-status" });
        status.setAttribute("role", "status");
        const about = element("p", { className: "assistant-about", hidden: true });
        const input = element("textarea", {
            id: "chat-assistant-textarea",
            rows: 2,
            maxLength: limits.question,
            placeholder: words.question,
        });
        input.setAttribute("aria-label", words.question);
        input.enterKeyHint = "send";
        const send = element("button", { type: "submit", textContent: words.send });
        const note = element("p", { className: "assistant-note", textContent: words.madeByModel });
        const form = element("form", {}, about, element("div", {}, input, send), note);
        const dialog = element("dialog", { id: "chat-assistant-sheet", className: "assistant" });
        dialog.setAttribute("aria-labelledby", title.id);
        dialog.append(element("header", {}, title, close), log, status, form);
        const sheet = element("link", { rel: "stylesheet", href: root + styles });
        document.head.append(sheet);
        document.body.append(dialog);
        let context;
        let running;

        const setContext = (chosen) => {
            context = chosen;
            about.hidden = chosen === undefined;
            about.replaceChildren(
                element("span", { textContent: `${words.selectedText}: “${beginningOf(chosen?.value ?? "", 80)}”` }),
                button(words.remove, () => {
                    setContext(undefined);
                    input.focus();
                }),
            );
        };
        const setRunning = (controller) => {
            running = controller;
            send.textContent = controller === undefined ? words.send : words.stop;
            status.textContent = controller === undefined ? "" : words.answering;
            log.setAttribute("aria-busy", String(controller !== undefined));
        };
        const follow = (change) => {
            const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
            change();
            if (isAtEnd) {
                log.scrollTop = log.scrollHeight;
            }
        };
        const fail = (text, question) => {
            const problem = element("p", { className: "assistant-problem", textContent: text });
            const offer =
                search &&
                button(`${words.search}: “${question}”`, () => {
                    dialog.close();
                    search(question);
                });
            follow(() => log.append(problem, ...(offer ? [offer] : [])));
            input.value ||= question;
        };
        const ask = async (question) => {
            const controller = new AbortController();
            const answer = element("div", { className: "assistant-answer" });
            const about = context;
            const asked = { role: "user", parts: [{ type: "text", text: question }] };
            input.value = "";
            setContext(undefined);
            setRunning(controller);
            log.append(element("p", { className: "assistant-question", textContent: question }), answer);
            log.scrollTop = log.scrollHeight;
            let text = "";
            const sources = new Map();
            let problem;
            try {
                for await (const chunk of chunksOf([...messages, asked], about, controller.signal)) {
                    if (chunk.type === "text-delta") {
                        text += chunk.delta;
                    } else if (chunk.type === "data-blocks") {
                        follow(() => answer.append(...window.staticExportBlocks(chunk.data, addressOf)));
                    } else if (chunk.type === "source-url" && addressOf(chunk.url) !== undefined) {
                        sources.set(chunk.url, chunk.title ?? chunk.url);
                    } else if (chunk.type === "error") {
                        problem = words.assistantDown;
                    }
                }
            } catch (error) {
                problem = controller.signal.aborted ? words.stopped : (error.readable ?? words.assistantDown);
            }
            answer.querySelectorAll("pre").forEach(addCopyButton);
            if (sources.size > 0) {
                follow(() => answer.append(sourcesOf(sources)));
            }
            setRunning(undefined);
            if (controller.signal.aborted) {
                status.textContent = words.stopped;
            } else if (problem !== undefined) {
                fail(problem, question);
            }
            if (text !== "" && problem === undefined) {
                messages.push(asked, { role: "assistant", parts: [{ type: "text", text }] });
            }
        };

        form.addEventListener("submit", (event) => {
            event.preventDefault();
            const question = input.value.trim();
            if (running !== undefined) {
                running.abort();
            } else if (question !== "") {
                void ask(question);
            }
        });
        input.addEventListener("keydown", (event) => {
            const isComposing = event.isComposing || event.keyCode === 229;
            if (event.key === "Enter" && !event.shiftKey && !isComposing && running === undefined) {
                event.preventDefault();
                form.requestSubmit();
            }
        });
        dialog.addEventListener("close", () => running?.abort());
        dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
        return {
            open(question, chosen) {
                if (!dialog.open) {
                    dialog.showModal();
                    setContext(chosen);
                }
                input.focus();
                if (question && running === undefined) {
                    void ask(beginningOf(question, limits.question));
                }
            },
        };
    }

    /** Yields the chunks of an answer. @throws an error, with the server's message if it sent one for readers */
    async function* chunksOf(asked, context, signal) {
        const response = await window.fetch(`/v2/assistant/${domain}/message`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({
                messages: asked.slice(-limits.messages),
                currentPath: currentPath(),
                ...(filter && { filter: JSON.parse(filter) }),
                ...(context && { context: [{ ...context, path: currentPath() }] }),
            }),
            signal,
        });
        const type = response.headers.get("content-type") ?? "";
        if (!response.ok || !type.startsWith("text/event-stream")) {
            throw Object.assign(new Error(String(response.status)), { readable: await reasonOf(response) });
        }
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        let isWhole = false;
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
            const events = (rest + read.value).split("\n\n");
            rest = events.pop();
            for (const event of events.filter((each) => each.startsWith("data: {"))) {
                const chunk = JSON.parse(event.slice("data: ".length));
                isWhole ||= chunk.type === "finish";
                yield chunk;
            }
        }
        if (!isWhole) {
            throw new Error("The stream broke off.");
        }
    }

    /** Returns the reason why the server refuses a question, worded for readers. */
    async function reasonOf(response) {
        if (response.status === 429) {
            const seconds = Math.max(1, Number(response.headers.get("retry-after")) || 60);
            return words.tooManyQuestions.replace("{seconds}", seconds);
        }
        if (response.status !== 400) {
            return undefined;
        }
        return response.json().then(
            ({ error }) => (typeof error === "string" ? error : undefined),
            () => undefined,
        );
    }

    /**
     * Resolves links to pages of the site, whose paths begin at the site's root. The server removes all other links
     * except the support address.
     */
    function addressOf(target) {
        if (/^\/(?![/\\])/.test(target)) {
            return (root || "./") + target.slice(1);
        }
        return /^(?:https?:\/\/|mailto:)/i.test(target) && window.URL.canParse(target) ? target : undefined;
    }

    function sourcesOf(sources) {
        const list = element("ul", { className: "assistant-sources" });
        list.setAttribute("aria-label", words.sources);
        for (const [target, title] of sources) {
            const link = element("a", { href: addressOf(target) });
            link.append(element("strong", { textContent: title }), element("span", { textContent: target }));
            list.append(element("li", {}, link));
        }
        return list;
    }

    function addCopyButton(block) {
        const code = block.firstElementChild;
        block.tabIndex = 0;
        const copy = button(words.copy, async () => {
            try {
                await navigator.clipboard.writeText(code.textContent);
                copy.textContent = words.copied;
            } catch {
                window.getSelection().selectAllChildren(code);
                copy.textContent = words.byKeys;
            }
            setTimeout(() => (copy.textContent = words.copy), 2000);
        });
        const frame = element("div", { className: "assistant-code" });
        block.replaceWith(frame);
        frame.append(block, copy);
    }

    /** The page's path from the root of the site, which the server uses to identify pages. */
    function currentPath() {
        const base = new window.URL(root || "./", document.baseURI).pathname;
        const path = window.location.pathname.slice(base.length);
        return beginningOf(`/${path.replace(/(?:^|\/)index\.html$|\.html$/, "")}`, 1000);
    }

    function contextOf(selection) {
        const value = beginningOf(selection?.text.trim() ?? "", limits.context);
        const part = selection?.node?.parentElement;
        if (!value || !part?.closest("main")) {
            return undefined;
        }
        const elementId = beginningOf(part.closest("[id]")?.id ?? "", 200);
        return { type: part.closest("pre, code") === null ? "textSelection" : "code", value, elementId };
    }

    /** Returns the words in the language of the page, or in English. */
    function wordsOf(language) {
        const parts = language.toLowerCase().split("-");
        const names = parts.map((_, at) => parts.slice(0, parts.length - at).join("-"));
        const known = names.map((name) => languages[codes[name] ?? name]).find((found) => found !== undefined);
        return known ?? languages.en;
    }

    function button(textContent, use) {
        const created = element("button", { type: "button", textContent });
        created.addEventListener("click", use);
        return created;
    }

    function element(name, properties = {}, ...content) {
        const created = Object.assign(document.createElement(name), properties);
        created.append(...content);
        return created;
    }
})();
