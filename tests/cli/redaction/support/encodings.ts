import { gzipSync } from "node:zlib";

interface EncodedText {
    readonly text: string;
    /** The part that encodes only the secret; a redacted stack must not contain this part. */
    readonly core: string;
}

type Encode = (secret: string, before: string, after: string) => EncodedText;

const whole = (encode: (text: string) => string): Encode => {
    return (secret, before, after) => ({ text: encode(before) + encode(secret) + encode(after), core: encode(secret) });
};

/** Encodes text as Base64; the core excludes characters that the secret shares with the text around it. */
const base64 = (alphabet: "base64" | "base64url", change = (text: string) => Buffer.from(text)): Encode => {
    return (secret, before, after) => {
        const [head, middle, tail] = [before, secret, after].map(change) as [Buffer, Buffer, Buffer];
        const text = Buffer.concat([head, middle, tail]).toString(alphabet);
        const start = Math.ceil((head.length * 8) / 6);
        const end = Math.floor(((head.length + middle.length) * 8) / 6);
        return { text, core: text.slice(start, end) };
    };
};

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const bytesOf = (text: string) => [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, "0"));
const utf16 = (text: string) => text.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
const xml = (text: string) =>
    text
        .replace(/&/g, "&amp;")
        .replace(/</g, "&lt;")
        .replace(/>/g, "&gt;")
        .replace(/"/g, "&quot;")
        .replace(/'/g, "&#39;");
const inside = (outer: Encode, encode: (text: string) => string): Encode => {
    return (secret, before, after) => outer(encode(secret), encode(before), encode(after));
};

/** The encodings in which programs, providers and Pulumi itself copy text. */
export const encodings: Record<string, Encode> = {
    "as it is": whole((text) => text),
    "in a URL": whole(encodeURIComponent),
    "in a form": whole((text) => new URLSearchParams({ "": text }).toString().slice(1)),
    "in a URL, every byte": whole((text) =>
        bytesOf(text)
            .map((byte) => `%${byte}`)
            .join(""),
    ),
    "in a URL in a URL": whole((text) => encodeURIComponent(encodeURIComponent(text))),
    "in JSON": whole(json),
    "in JSON in JSON": whole((text) => json(json(text))),
    "in JSON, every character": whole((text) =>
        utf16(text)
            .map((unit) => `\\u${unit}`)
            .join(""),
    ),
    "in XML": whole(xml),
    "in XML, every character": whole((text) => [...text].map((each) => `&#${each.codePointAt(0)};`).join("")),
    "in hexadecimal": whole((text) => bytesOf(text).join("")),
    "in upper hexadecimal": whole((text) => bytesOf(text).join("").toUpperCase()),
    "in Base64": base64("base64"),
    "in Base64 for URLs": base64("base64url"),
    "in lines of Base64": (secret, before, after) => {
        const { text, core } = base64("base64")(secret, `${"-".repeat(45)}${before}`, after);
        const start = text.indexOf(core);
        const inLines = (at: number) => at + Math.floor(at / 76);
        const lines = text.replace(/.{76}/g, "$&\n");
        return { text: lines, core: lines.slice(inLines(start), inLines(start + core.length)) };
    },
    "in JSON in Base64": inside(base64("base64"), json),
    "in a URL in Base64": inside(base64("base64url"), encodeURIComponent),
    "in Base64 in Base64": (secret, before, after) => {
        const { text, core } = base64("base64")(secret, before, after);
        return { text: Buffer.from(text).toString("base64"), core: base64("base64")(core, "", "").core };
    },
    "in Base64 in a URL": (secret, before, after) => {
        const { text, core } = base64("base64")(secret, before, after);
        return { text: encodeURIComponent(text), core: encodeURIComponent(core) };
    },
    "in UTF-16 in Base64": base64("base64", (text) => Buffer.from(text, "utf16le")),
    "in big-endian UTF-16 in Base64": base64("base64", (text) => Buffer.from(text, "utf16le").swap16()),
    "in UTF-16 with a byte order mark in Base64": (secret, before, after) => ({
        ...base64("base64", (text) => Buffer.from(text, "utf16le"))(secret, `\ufeff${before}`, after),
    }),
    "in big-endian UTF-16 in hexadecimal": whole((text) => utf16(text).join("")),
    "in hexadecimal with colons": (secret, before, after) => ({
        text: bytesOf(before + secret + after).join(":"),
        core: bytesOf(secret).join(":"),
    }),
    "in Basic authentication": (secret, before) => {
        const { text, core } = base64("base64")(secret, `${before}:`, "");
        return { text: `Authorization: Basic ${text}`, core };
    },
    "compressed in Base64": (secret, before, after) => {
        const text = gzipSync(before + secret + after).toString("base64");
        return { text, core: text };
    },
    "in a Secret in a release of Helm": (secret, before, after) => {
        const data = Buffer.from(before + secret + after).toString("base64");
        const release = JSON.stringify({ manifest: `kind: Secret\ndata:\n  value: ${data}\n` });
        // Helm encodes what it compresses, and Kubernetes encodes that again.
        const text = Buffer.from(gzipSync(release).toString("base64")).toString("base64");
        return { text, core: text };
    },
};
