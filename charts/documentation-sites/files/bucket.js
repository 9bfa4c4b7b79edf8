// Signs the requests to the bucket (AWS Signature Version 4), and removes headers that only the storage needs from its
// responses.
import crypto from "crypto";
import fs from "fs";
import settings from "settings.js";

const keys = "/etc/documentation-sites-keys/";
const emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** The time of a request, which its signature contains. */
function date() {
    return new Date().toISOString().replace(/[:-]|\.\d+/g, "");
}

/** Reads the file for each request, so that a rotated key needs no restart. */
function key(name) {
    return fs.readFileSync(keys + name, "utf8").trim();
}

function token() {
    return fs.readdirSync(keys).includes("session-token") ? key("session-token") : "";
}

function authorization(r) {
    const time = r.variables.amz_date;
    const session = r.variables.amz_token;
    const headers = [`host:${settings.host}`, `x-amz-content-sha256:${emptyDigest}`, `x-amz-date:${time}`].concat(
        session === "" ? [] : [`x-amz-security-token:${session}`],
    );
    const names = headers.map((header) => header.slice(0, header.indexOf(":"))).join(";");
    const request = ["GET", r.variables.request_uri, "", headers.join("\n"), "", names, emptyDigest].join("\n");
    const scope = [time.slice(0, 8), settings.region, "s3", "aws4_request"];
    const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), digest(request)].join("\n");
    const signing = scope.reduce(sign, `AWS4${key("secret-access-key")}`);
    const signature = crypto.createHmac("sha256", signing).update(text).digest("hex");
    const credential = `${key("access-key-id")}/${scope.join("/")}`;
    return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
}

function digest(text) {
    return crypto.createHash("sha256").update(text).digest("hex");
}

function sign(signing, part) {
    return crypto.createHmac("sha256", signing).update(part).digest();
}

const forReaders = /^(?:content-(?:type|length|encoding|disposition|language)|cache-control|etag)$/i;

function clean(r) {
    Object.keys(r.headersOut).forEach((name) => {
        if (!forReaders.test(name)) {
            delete r.headersOut[name];
        }
    });
}

export default { authorization, clean, date, token };
