/* Live parts of the dashboard. Every page works without this file. */
const zone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function localize(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
        const date = new Date(time.dateTime);
        time.title = time.textContent;
        time.textContent = zone.format(date);
    }
    for (const button of root.querySelectorAll("button[data-copy]")) {
        button.hidden = false;
    }
}

let reloading = false;
async function reload() {
    // A person who is typing, or who has just received a key, keeps the page.
    if (
        reloading ||
        document.querySelector("main[data-keep]") ||
        document.activeElement?.closest("form textarea, form input")
    ) {
        return;
    }
    reloading = true;
    try {
        const response = await fetch(location.href, { headers: { accept: "text/html" } });
        if (response.ok && !response.redirected) {
            const page = new DOMParser().parseFromString(await response.text(), "text/html");
            const main = page.querySelector("main");
            if (main) {
                localize(main);
                document.querySelector("main").replaceWith(main);
            }
        }
    } finally {
        reloading = false;
    }
}

function show(jobs) {
    const known = new Map(jobs.map((job) => [job.jobId, job]));
    let hasChanged = false;
    for (const element of document.querySelectorAll("[data-job]")) {
        const job = known.get(element.dataset.job);
        if (job === undefined || job.status !== element.dataset.status) {
            hasChanged = true;
            continue;
        }
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
        setTimeout(reload, Math.random() * 1000);
    }
}

localize(document);
const notice = document.querySelector("#away");
const events = document.body.dataset.events;
if (events && document.querySelector("main[data-live], [data-job]")) {
    const source = new EventSource(events);
    source.addEventListener("jobs", (event) => {
        notice.hidden = true;
        show(JSON.parse(event.data));
    });
    const isAway = () => {
        if (notice.hidden) {
            notice.querySelector("time").textContent = zone.format(new Date());
            notice.hidden = false;
        }
    };
    source.addEventListener("ended", () => {
        source.close();
        // The next page asks the person to sign in; a key that is shown only once stays.
        if (!document.querySelector("main[data-keep]")) {
            location.reload();
        }
    });
    source.addEventListener("away", isAway);
    source.addEventListener("error", isAway);
}

const log = document.querySelector("pre[data-log]");
if (log) {
    let from = Number(log.dataset.from);
    const timer = setInterval(async () => {
        const response = await fetch(`${log.dataset.log}?from=${from}`);
        if (!response.ok) {
            return;
        }
        const part = await response.json();
        from = part.next;
        log.append(part.text);
        if (part.status !== "active") {
            clearInterval(timer);
            reload();
        }
    }, 2000);
}

document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button[data-copy]");
    if (button) {
        await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
        button.textContent = "Copied";
    }
});
