import assert from "node:assert/strict";
import { cleanServerText, describeStorageFailure, redact } from "@pulumi-static-export/contract";

const secret = 'pA/s+w0rd&"x~=é';

const encodings: Readonly<Record<string, (text: string) => string>> = {
    "as it is": (text) => text,
    "in a URL": encodeURIComponent,
    "in a URL, with lower-case digits": (text) =>
        encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
    "in a form": (text) => new URLSearchParams({ a: text }).toString().slice(2),
    "in JSON": (text) => JSON.stringify({ text }),
    "in HTML": (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
    "in Base64": (text) => Buffer.from(text).toString("base64"),
    "in Base64, after one character": (text) => Buffer.from(`:${text}`).toString("base64"),
    "in Base64, after a user and before more": (text) => Buffer.from(`ab${text}:c`).toString("base64"),
    "in Base64 for URLs": (text) => Buffer.from(`user:${text}`).toString("base64url"),
    "in hexadecimal": (text) => Buffer.from(text).toString("hex"),
    "in capital hexadecimal": (text) => Buffer.from(text).toString("hex").toUpperCase(),
};

describe("A secret in the text of a server", () => {
    for (const [how, encode] of Object.entries(encodings)) {
        it(`is replaced ${how}`, () => {
            const encoded = encode(secret);
            const cleaned = cleanServerText(`invalid token ${encoded}`, [secret]);
            assert.match(cleaned, /\[secret\]/);
            for (let start = 0; start + 12 <= encoded.length; start++) {
                assert.ok(!cleaned.includes(encoded.slice(start, start + 12)), cleaned);
            }
        });
    }

    it("is replaced if the client derived it from another secret", () => {
        for (const text of [
            "AWS4-HMAC-SHA256 Credential=AKIA/20260101/x/s3/aws4_request, SignedHeaders=host, Signature=abcdef",
            "https%3A%2F%2Fb?x-amz-signature%3Dabcdef",
            "sv=2020&sig=abcdef%2F&se=1",
            "Authorization: Bearer abcdef0123456789",
            "Authorization: SharedKey account:abcdef0123456789=",
            "X-Amz-Security-Token=abcdef",
        ]) {
            assert.doesNotMatch(cleanServerText(text, []), /abcdef/);
        }
    });

    it("leaves other text unchanged, and ignores short encoded forms", () => {
        assert.equal(
            cleanServerText("The token has expired, at b.html", ["at", "ab"]),
            "The token has expired, [secret] b.html",
        );
        assert.equal(redact("YQ== 61", ["a"]), "YQ== 61");
    });

    it("is replaced everywhere, the longer of two secrets as a whole, and not read as a pattern", () => {
        assert.equal(redact("a key, b key, c word", ["key", "word"]), "a [secret], b [secret], c [secret]");
        assert.equal(redact("key_123", ["key", "key_123"]), "[secret]");
        assert.equal(redact("a.c abc", ["a.c", ""]), "[secret] abc");
    });

    it("is removed before the text is cut", () => {
        const cleaned = cleanServerText(`${"x".repeat(198)}secret-key${"y".repeat(300)}`, ["secret-key"]);
        assert.equal(cleaned, `${"x".repeat(198)}[s … ${"y".repeat(300)}`);
    });

    it("is removed from addresses, with their queries", () => {
        assert.equal(
            cleanServerText('cannot fetch "https://u:p@b.example.com/x?X-Amz-Signature=abc" (s3://b/y#z)', []),
            'cannot fetch "https://b.example.com/x" (s3://b/y',
        );
    });

    it("cannot begin a line or a terminal sequence", () => {
        const text = "a\r::error::b\u001b[31mc\u2028d\u2029e\u0085f\u202eg\u0000h\u009bi";
        assert.equal(cleanServerText(text, []), "a ::error::b [31mc d e f g h i");
    });

    it("keeps its start and its end, where a failed build has its reason", () => {
        const text = `The build exited with code 1. ${"npm warn deprecated glob. ".repeat(40)}npm error code E404`;
        const cleaned = cleanServerText(text, []);
        assert.match(cleaned, /^The build exited with code 1\. .* … .* npm error code E404$/);
        assert.ok(cleaned.length < 520);
    });

    it("ends with its start if it is so long that its end could be the rest of a credential", () => {
        const text = `${"a".repeat(3992)} Bearer abcdef0123456789abcdef`;
        assert.match(cleanServerText(text, []), /^a{500}…$/);
    });

    it("takes linear time to clean", () => {
        const start = performance.now();
        for (const part of ["a", "://", "a://", "Bearer ", "sig=", "\\", "%3D", " "]) {
            cleanServerText(part.repeat(200_000 / part.length), ["secret-1"]);
        }
        assert.ok(performance.now() - start < 1000);
    });
});

describe("A failure of a storage", () => {
    it("contains neither the client's secrets nor the request's signature, in no field", () => {
        const error = Object.assign(
            new Error(`no ${secret}, ${"ab".repeat(32)}, c2lnbmF0dXJl, c2lnbg%2B\r::error::x`),
            {
                name: `Bad${secret}`,
                code: `E_${secret}`,
                request: {
                    url: "https://a.blob.core.windows.net/c?sig=c2lnbg%2B",
                    headers: { get: () => "SharedKey account:c2lnbmF0dXJl" },
                },
            },
        );
        const text = JSON.stringify(describeStorageFailure(error, [secret]));
        assert.doesNotMatch(text, /pA|abab|c2ln|\r|\\r/);
        assert.match(text, /\[secret\], \[secret\], \[secret\], \[secret\] ::error::x/);
    });
});
