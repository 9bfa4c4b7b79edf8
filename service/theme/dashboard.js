/* Live parts of the dashboard. Every page works without this file. */
const zone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const ownZone = zone.resolvedOptions().timeZone;

function localize(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
        const isInLog = time.dataset.clock !== undefined;
        time.title = isInLog ? time.dateTime : time.textContent;
        time.textContent = (isInLog ? clock : zone).format(new Date(time.dateTime));
    }
    for (const button of root.querySelectorAll("button[data-copy]")) {
        button.hidden = false;
    }
    for (const name of root.querySelectorAll("[data-zone]")) {
        // The days of a link belong to its sender, who may be in another zone.
        if (["", ownZone].includes(name.dataset.zone)) {
            name.textContent = "your time";
        }
    }
}

/** Two nodes with the same name show the same thing, such as the row of a job. */
function nameOf(node) {
    const link = node.nodeName === "TR" ? node.querySelector("a[href]")?.getAttribute("href") : undefined;
    return `${node.nodeName} ${node.id || link || node.dataset?.job || ""}`;
}

/** Attributes that a person changes, or that belong to this page only. */
const ownAttributes = new Set(["open", "data-seen"]);

function updateAttributes(element, fresh) {
    // A second click must find what the first one did.
    if (element.name === "request") {
        return;
    }
    for (const { name, value } of fresh.attributes) {
        if (element.getAttribute(name) !== value) {
            element.setAttribute(name, value);
        }
    }
    for (const { name } of [...element.attributes]) {
        if (!fresh.hasAttribute(name) && !ownAttributes.has(name)) {
            element.removeAttribute(name);
        }
    }
}

/** Makes an element like another one, and leaves what stays the same, with its focus, selection and scroll position. */
function update(element, fresh) {
    const names = new Set([...fresh.childNodes].map(nameOf));
    for (const child of [...element.childNodes].filter((each) => !names.has(nameOf(each)))) {
        child.remove();
    }
    let place = element.firstChild;
    for (const next of [...fresh.childNodes]) {
        let found = place;
        while (found && nameOf(found) !== nameOf(next)) {
            found = found.nextSibling;
        }
        if (!found) {
            element.insertBefore(next, place);
            continue;
        }
        if (found === place) {
            place = place.nextSibling;
        } else {
            element.insertBefore(found, place);
        }
        if (found.nodeType === Node.ELEMENT_NODE) {
            const follows = isAtEnd(found);
            updateAttributes(found, next);
            update(found, next);
            if (follows) {
                found.scrollTop = found.scrollHeight;
            }
        } else if (next.data.startsWith(found.data)) {
            found.appendData(next.data.slice(found.data.length));
        } else {
            found.data = next.data;
        }
    }
    while (place) {
        const gone = place;
        place = place.nextSibling;
        gone.remove();
    }
}

/** Whether a person has scrolled to the end of a log, and follows it. */
function isAtEnd({ nodeName, scrollHeight, scrollTop, clientHeight }) {
    return nodeName === "PRE" && scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
}

/** Whether the person did something since the page last asked for news: only then, the question counts as a use. */
let isTouched = false;
for (const name of ["pointerdown", "keydown", "wheel", "touchstart"]) {
    addEventListener(name, () => (isTouched = true), { capture: true, passive: true });
}

function ask(address) {
    const headers = { accept: "text/html", ...(isTouched ? {} : { "x-untouched": "true" }) };
    isTouched = false;
    return fetch(address, { headers });
}

let reloading = false;
async function reload() {
    // A person who has just received a key keeps the page.
    if (reloading || document.querySelector("main[data-keep]")) {
        return;
    }
    reloading = true;
    try {
        const response = await ask(location.href);
        if (response.ok && !response.redirected) {
            const page = new DOMParser().parseFromString(await response.text(), "text/html");
            const main = page.querySelector("main");
            if (main) {
                localize(main);
                const shown = document.querySelector("main");
                updateAttributes(shown, main);
                update(shown, main);
            }
            notice.hidden = true;
        }
    } finally {
        reloading = false;
    }
}

/** Tells people who cannot see the page what has changed on it. */
function announce(text) {
    document.querySelector("#news").textContent = text;
}

/** The status of the job that a row or the head of its page shows, with the name of what it is about. */
function describeJob(element) {
    // The head of a page is replaced when its job ends.
    const shown = element.isConnected ? element : document.querySelector("main .head");
    const [status, name] = [shown?.querySelector(".status"), shown?.querySelector("h1, a")];
    return status && name ? `${name.textContent}: ${status.textContent}` : "";
}

let announcedQuarter = 0;

/** On the page of a job, each quarter of its progress is announced. */
function announceProgress({ jobId, progress, pageCount }) {
    const quarter = Math.floor(progress / 25);
    if (location.pathname.endsWith(`/jobs/${jobId}`) && quarter > announcedQuarter) {
        announce(`${Math.round(progress)} percent, ${pageCount} pages`);
        announcedQuarter = quarter;
    }
}

function show(jobs) {
    const known = new Map(jobs.map((job) => [job.jobId, job]));
    let hasChanged = false;
    const changed = [];
    for (const element of document.querySelectorAll("[data-job]")) {
        const job = known.get(element.dataset.job);
        if (job === undefined || job.status !== element.dataset.status) {
            hasChanged = true;
            changed.push(element);
            continue;
        }
        announceProgress(job);
        const bar = element.querySelector("progress");
        if (bar) {
            bar.value = job.progress;
        }
        const text = element.querySelector(".progress-text");
        if (text) {
            text.textContent = `${Math.round(job.progress)} %, ${job.pageCount} pages`;
        }
    }
    const shown = new Set([...document.querySelectorAll("[data-job]")].map((element) => element.dataset.job));
    const list = document.querySelector("main[data-live=all]");
    if (hasChanged || (list && jobs.some(({ jobId }) => !shown.has(jobId) && !list.dataset.seen?.includes(jobId)))) {
        if (list) {
            list.dataset.seen = jobs.map(({ jobId }) => jobId).join(" ");
        }
        setTimeout(async () => {
            await reload();
            const news = changed.map(describeJob).filter((text) => text !== "");
            if (news.length > 0) {
                announce(news.join(". "));
            }
        }, Math.random() * 1000);
    } else if (!document.hidden && document.querySelector("[data-moves]")) {
        reload().catch(showAway);
    }
}

localize(document);
const notice = document.querySelector("#away");

function showAway() {
    if (notice.hidden) {
        notice.querySelector("time").textContent = zone.format(new Date());
        notice.hidden = false;
    }
}

const pollMs = 10_000;

async function poll() {
    if (!document.hidden) {
        try {
            await reload();
        } catch {
            showAway();
        }
    }
}

/**
 * Browsers open six connections to a host, so that only one visible page has the connection for events, and passes them
 * on to the others.
 */
function follow(events) {
    const pages = new BroadcastChannel(events);
    let leave = new AbortController();
    const handlers = {
        jobs: (jobs) => {
            notice.hidden = true;
            show(jobs);
        },
        away: showAway,
        ended: () => {
            leave.abort();
            // The next page asks the person to sign in; a key that is shown only once stays.
            if (!document.querySelector("main[data-keep]")) {
                location.reload();
            }
        },
    };
    const handle = ({ name, data }) => handlers[name](data);
    pages.addEventListener("message", ({ data }) => handle(data));
    const tell = (name, data) => {
        pages.postMessage({ name, data });
        handle({ name, data });
    };
    const connect = (signal) =>
        new Promise((resolve) => {
            const source = new EventSource(events);
            const close = () => {
                source.close();
                resolve();
            };
            signal.addEventListener("abort", close);
            source.addEventListener("jobs", ({ data }) => tell("jobs", JSON.parse(data)));
            source.addEventListener("ended", () => tell("ended"));
            source.addEventListener("away", () => tell("away"));
            source.addEventListener("error", () => {
                // The browser connects again by itself, unless the service or a proxy answered with an error.
                if (source.readyState === EventSource.CLOSED) {
                    close();
                } else {
                    tell("away");
                }
            });
        });
    const lead = async (signal) => {
        while (!signal.aborted) {
            try {
                await navigator.locks.request(events, { signal }, () => connect(signal));
            } catch {
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, pollMs));
            if (!signal.aborted) {
                await poll();
            }
        }
    };
    document.addEventListener("visibilitychange", () => {
        leave.abort();
        if (!document.hidden) {
            isTouched = true;
            leave = new AbortController();
            void lead(leave.signal);
            void poll();
        }
    });
    if (!document.hidden) {
        void lead(leave.signal);
    }
}

const events = document.body.dataset.events;
if (events && document.querySelector("main[data-live], [data-job]")) {
    if (navigator.locks) {
        follow(events);
    } else {
        setInterval(poll, pollMs);
    }
}

const log = document.querySelector("pre[data-log]");
if (log) {
    let from = Number(log.dataset.from);
    // The next part is requested after the answer, so that slow answers never overlap.
    const append = async () => {
        try {
            const response = document.hidden ? {} : await ask(`${log.dataset.log}?from=${from}`);
            if (response.ok) {
                const part = await response.json();
                from = part.next;
                const follows = isAtEnd(log);
                log.insertAdjacentHTML("beforeend", part.html);
                if (follows) {
                    log.scrollTop = log.scrollHeight;
                }
                if (part.status !== "active" && part.isEnd) {
                    reload();
                    return;
                }
            }
        } catch {
            // The service is away for a moment.
        }
        setTimeout(append, 2000);
    };
    setTimeout(append, 2000);
}

document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button[data-copy]");
    if (button) {
        await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
        button.textContent = "Copied";
    }
});
