// Writes the metrics of stub_status in Prometheus' format, under the names of nginx's own exporter.

async function metrics(r) {
    const reply = await r.subrequest("/-stub");
    r.headersOut["Content-Type"] = "text/plain; version=0.0.4";
    r.return(reply.status, reply.status === 200 ? format(reply.responseText) : "");
}

function format(text) {
    const figures = text.match(/\d+/g);
    const names = ["active", "accepted", "handled", "", "reading", "writing", "waiting"];
    const lines = names.map((name, index) => {
        const metric = name === "" ? "nginx_http_requests_total" : `nginx_connections_${name}`;
        const type = /^(?:accepted|handled|)$/.test(name) ? "counter" : "gauge";
        return `# TYPE ${metric} ${type}\n${metric} ${figures[index]}\n`;
    });
    return lines.join("");
}

export default { metrics };
