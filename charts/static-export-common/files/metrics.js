// Writes a pod's metrics in Prometheus' format; the values of stub_status have the names that nginx's own exporter
// uses.

import fs from "fs";

const errorFiles = { "4xx": "/tmp/requests-4xx", "5xx": "/tmp/requests-5xx" };
// The site of each 5xx, in pods that serve many sites.
const failuresFile = "/tmp/failures";

// A scrape or a probe empties files beyond these sizes. Prometheus treats an emptied file as a counter reset.
const maxBytes = 1048576;
const maxFailureBytes = 131072;

// The number of time series must not depend on the number of sites.
const maxSites = 20;

async function metrics(r) {
    const reply = await r.subrequest("/-stub");
    r.headersOut["Content-Type"] = "text/plain; version=0.0.4";
    const ofAssistant = await assistant(r);
    const text = reply.status === 200 ? format(reply.responseText) + errors() + site() + ofAssistant : "";
    r.return(reply.status, text);
}

// The metrics of the assistant, which only some pods of the chart documentation-site have.
async function assistant(r) {
    const reply = await r.subrequest("/-assistant");
    return reply.status === 200 ? reply.responseText : "";
}

function format(text) {
    const figures = text.match(/\d+/g);
    const names = ["active", "accepted", "handled", "", "reading", "writing", "waiting"];
    const lines = names.map((name, index) => {
        const isCounter = /^(?:accepted|handled|)$/.test(name);
        return metric(
            name === "" ? "nginx_http_requests_total" : `nginx_connections_${name}`,
            figures[index],
            isCounter,
        );
    });
    return lines.join("");
}

// The probe of pods that serve many sites. Without scrapes, the files must not grow for ever either.
function health(r) {
    emptyLarge();
    r.headersOut["Content-Type"] = "application/json";
    r.return(200, '{"status":"ok"}');
}

// nginx writes one byte to a file for each response with an error status.
function errors() {
    const lines = Object.keys(errorFiles).map(
        (status) => `documentation_site_errors_total{status="${status}"} ${sizeOf(errorFiles[status])}\n`,
    );
    const text = `# TYPE documentation_site_errors_total counter\n${lines.join("")}${failuresBySite()}`;
    emptyLarge();
    return text;
}

function failuresBySite() {
    if (sizeOf(failuresFile) > maxFailureBytes) {
        return "";
    }
    const counts = {};
    const named = read(failuresFile)
        .split("\n")
        .filter((site) => site !== "");
    named.forEach((site) => (counts[site] = (counts[site] || 0) + 1));
    const lines = Object.keys(counts)
        .sort((one, other) => counts[other] - counts[one])
        .slice(0, maxSites)
        .map((site) => `documentation_site_failures_total{site=${JSON.stringify(site)}} ${counts[site]}\n`);
    return lines.length === 0 ? "" : `# TYPE documentation_site_failures_total counter\n${lines.join("")}`;
}

function emptyLarge() {
    Object.keys(errorFiles)
        .map((status) => errorFiles[status])
        .filter((file) => sizeOf(file) > maxBytes)
        .concat(sizeOf(failuresFile) > maxFailureBytes ? [failuresFile] : [])
        .forEach((file) => fs.writeFileSync(file, ""));
}

function sizeOf(file) {
    try {
        return fs.statSync(file).size;
    } catch (error) {
        if (error.code !== "ENOENT") {
            throw error;
        }
        return 0;
    }
}

// Returns the metrics of the only site in a pod; pods that serve many sites have none.
function site() {
    const health = read("/srv/site/healthz.json");
    if (health === "") {
        return "";
    }
    const version = JSON.stringify(String(JSON.parse(health).version));
    const info = `# TYPE documentation_site_info gauge\ndocumentation_site_info{version=${version}} 1\n`;
    const fetched = JSON.parse(read("/srv/site/fetched.json") || "{}");
    const figures = Object.keys(fetched).map((name) => metric(`documentation_site_fetch_${name}`, fetched[name]));
    const expires = read("/etc/static-export-link/link-expires");
    const link = expires === "" ? "" : metric("documentation_site_link_expires_timestamp_seconds", expires);
    return info + figures.join("") + link;
}

function metric(name, value, isCounter) {
    return `# TYPE ${name} ${isCounter ? "counter" : "gauge"}\n${name} ${value}\n`;
}

function read(file) {
    try {
        return fs.readFileSync(file, "utf8");
    } catch (error) {
        if (error.code !== "ENOENT") {
            throw error;
        }
        return "";
    }
}

export default { health, metrics };
