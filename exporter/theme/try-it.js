/* global document, window, performance, AbortController, clearTimeout, FormData, Blob, TextEncoder */
// The form of an API page. The request goes from the reader's browser to the API itself, and nothing is stored. The
// request is written by the code that the page's examples use. Must be bundled.
import { enteredValue, formBody, piecesOf, requestOf } from "../src/api/openapi/request.ts";

const longestAnswer = 200_000;

for (const place of document.querySelectorAll(".try-it")) {
    if (window.staticExportFeatures?.apiPlayground === false) {
        place.remove();
    } else {
        setUp(place, JSON.parse(place.dataset.request));
    }
}

function setUp(place, request) {
    const details = element("details", { className: "accordion" });
    const form = element("form");
    const server = addField(form, { name: "Server", value: serverOf(request), required: true });
    const credentials = addCredentials(form, request.credentials);
    const fields = request.fields.map((field) => ({ field, input: addField(form, field) }));
    const parts = request.parts?.map((field) => ({ field, input: addField(form, field) }));
    const file = request.file && addField(form, { name: `Body · ${request.bodyType}`, file: "one" });
    const text = request.body === undefined ? undefined : addBody(form, request);
    if (request.sendsCookies) {
        const hint = "Your browser sends its own cookies for this server: sign in there first.";
        form.append(element("p", { textContent: hint }));
    }
    const send = element("button", { type: "submit", textContent: "Send" });
    const status = element("p", { className: "try-it-status" });
    status.setAttribute("role", "status");
    const answer = element("pre", { tabIndex: 0, hidden: true });
    answer.setAttribute("aria-label", "Answer");
    form.append(send, status, answer);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const readers = [...credentials(), ...fields];
        void run({ request, server, fields: readers, parts, file, text, send, status, answer });
    });
    const content = element("div");
    content.append(form);
    details.append(element("summary", { textContent: "Try it" }), content);
    place.append(details);
    addOpener(place, details);
}

/** Removes the slashes at the end. */
function withoutSlashes(address) {
    let end = address.length;
    while (address[end - 1] === "/") {
        end -= 1;
    }
    return address.slice(0, end);
}

/** A path is an address on the site's own host, which pages on disk do not have. */
function serverOf({ url }) {
    const { protocol, origin } = window.location;
    return url.startsWith("/") ? (protocol.startsWith("http") ? origin + url : "") : url;
}

/** Adds a button next to the operation's address, because the form is further down, after the description. */
function addOpener(place, details) {
    const bar = place.closest("article")?.querySelector(".operation");
    const open = element("button", { type: "button", className: "try-it-open", textContent: "Try it" });
    open.addEventListener("click", () => {
        details.open = true;
        details.scrollIntoView();
        details.querySelector("input, select, textarea")?.focus();
    });
    bar?.append(" ", open);
}

/** Adds the fields of one way to authenticate, which readers choose if there are several. */
function addCredentials(form, choices) {
    const groups = choices.map(({ fields }) => {
        const group = element("div");
        return { group, inputs: fields.map((field) => ({ field, input: addField(group, field) })) };
    });
    const labels = choices.map(({ label }, at) => `${at + 1}. ${label}`);
    const choice = labels.length > 1 && addField(form, { name: "Authentication", options: labels, required: true });
    const chosen = () => Math.max(0, labels.indexOf(choice.value));
    const show = () => groups.forEach(({ group }, at) => (group.hidden = at !== chosen()));
    if (choice) {
        choice.addEventListener("change", show);
    }
    show();
    form.append(...groups.map(({ group }) => group));
    return () => groups[chosen()]?.inputs ?? [];
}

async function run({ request, server, fields, parts, file, text, send, status, answer }) {
    answer.hidden = true;
    send.disabled = true;
    status.textContent = "Sending …";
    const startedMs = performance.now();
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 60_000);
    try {
        const body = parts
            ? formBody(request.bodyType, parts.map(filled))
            : { type: request.bodyType, text: text?.value, file: file?.files[0] };
        const isSent = parts || body.text || body.file;
        const to = { ...request, url: withoutSlashes(server.value) };
        const { url, headers } = requestOf(to, fields.map(filled), isSent ? body : undefined);
        const sent = isSent ? contentOf(body) : {};
        window.staticExportReport?.("docs.api_playground.request", { method: request.method, path: request.path });
        const response = await window.fetch(new URL(url, document.baseURI), {
            method: request.method,
            headers: [...headers, ...(sent.type ? [["Content-Type", sent.type]] : [])],
            body: sent.content,
            credentials: request.sendsCookies ? "include" : "omit",
            signal: stop.signal,
        });
        const type = response.headers.get("Content-Type") ?? "";
        const isBinary = /^(?:image(?!\/svg)|audio|video|font)\/|octet-stream|pdf|zip/i.test(type);
        const received = isBinary ? `(${type}, ${(await response.blob()).size} bytes)` : await response.text();
        status.textContent = `${response.status} ${response.statusText} in ${Math.round(performance.now() - startedMs)} ms`;
        answer.textContent = readable(received).slice(0, longestAnswer) || "(no content)";
        answer.hidden = false;
    } catch (error) {
        status.textContent = stop.signal.aborted
            ? "There was no answer within 60 seconds."
            : `There is no answer to read: ${error.message}. The API may be unreachable from here, or may not allow requests from other sites (CORS).`;
    } finally {
        clearTimeout(timer);
        send.disabled = false;
    }
}

/** A field with what the reader entered. */
function filled({ field, input }) {
    const files = [...(input.files ?? [])];
    return { field, value: field.file === undefined ? enteredValue(field, input.value) : files[0] && files };
}

/** The content that a browser sends. The browser adds the boundary to the type of a `FormData`. */
function contentOf(body) {
    if (!body.parts) {
        return { content: body.file ?? body.text };
    }
    if (body.parts.some(({ headers }) => headers)) {
        const { type, pieces } = piecesOf(body);
        return { type, content: new Blob(pieces.map((piece) => piece.file ?? piece)) };
    }
    const content = new FormData();
    for (const { name, text, file, type } of body.parts) {
        content.append(name, file ?? (type ? new Blob([text], { type }) : text));
    }
    return { content };
}

/** Indents JSON, with numbers as they are where the browser can keep them. */
function readable(text) {
    try {
        const exact = (_, value, context) =>
            typeof value === "number" && context?.source ? JSON.rawJSON(context.source) : value;
        return JSON.stringify(JSON.parse(text, JSON.rawJSON && exact), undefined, 2);
    } catch {
        return text;
    }
}

/** Adds fields for the user name and the password, which the header contains in base64 (RFC 7617). */
function addBasic(form) {
    const name = addField(form, { name: "Username" });
    const password = addField(form, { name: "Password", secret: true });
    return {
        get value() {
            const bytes = new TextEncoder().encode(`${name.value}:${password.value}`);
            return bytes.length === 1 ? "" : window.btoa(String.fromCharCode(...bytes));
        },
    };
}

function addField(form, { name, value = "", options, required, secret, prefix, file, in: place }) {
    if (prefix === "Basic ") {
        return addBasic(form);
    }
    const type = file === undefined ? (secret ? "password" : "text") : "file";
    const plain = { type, value, multiple: file === "several", autocomplete: "off", spellcheck: false };
    const input = options === undefined ? element("input", plain) : addOptions(options, value, required);
    input.required = required === true;
    return addLabelled(form, input, [name, prefix?.trim(), !secret && place, required && "required"]);
}

function addOptions(options, value, required) {
    const select = element("select");
    for (const option of required ? options : ["", ...options]) {
        select.append(new window.Option(option, option, false, option === value));
    }
    return select;
}

function addBody(form, { body, bodyType }) {
    const rows = Math.min(16, body.split("\n").length + 1);
    return addLabelled(form, element("textarea", { value: body, rows, spellcheck: false }), ["Body", bodyType]);
}

function addLabelled(form, input, words) {
    const label = element("label");
    label.append(element("span", { textContent: words.filter(Boolean).join(" · ") }), input);
    form.append(label);
    return input;
}

function element(name, properties = {}) {
    return Object.assign(document.createElement(name), properties);
}
