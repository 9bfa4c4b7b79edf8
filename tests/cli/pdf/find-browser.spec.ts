import assert from "node:assert/strict";
import { findBrowser } from "../../../cli/src/pdf/find-browser.js";

const only = (...paths: string[]) => ({ platform: "linux" as const, exists: (path: string) => paths.includes(path) });

describe("The browser that prints", () => {
    it("is the given one, then that of the environment, then one on PATH", () => {
        const env = { STATIC_EXPORT_CHROMIUM: "/opt/set", PATH: "/usr/local/bin:/usr/bin" };
        const all = only("/opt/given", "/opt/set", "/usr/bin/chromium");
        assert.equal(findBrowser("/opt/given", env, all), "/opt/given");
        assert.equal(findBrowser(undefined, env, all), "/opt/set");
        assert.equal(findBrowser(undefined, { PATH: env.PATH }, all), "/usr/bin/chromium");
    });

    it("is found in the usual places of each system", () => {
        assert.equal(findBrowser(undefined, {}, only("/snap/bin/chromium")), "/snap/bin/chromium");
        const app = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
        assert.equal(findBrowser(undefined, {}, { ...only(app), platform: "darwin" }), app);
    });

    it("is never replaced by another one if the given one is missing", () => {
        const installed = only("/usr/bin/chromium");
        assert.throws(() => findBrowser("/opt/no", {}, installed), /--browser: there is no program \/opt\/no\./);
        assert.throws(() => findBrowser(undefined, { STATIC_EXPORT_CHROMIUM: "/opt/no" }, installed), {
            name: "UsageError",
            message: /^STATIC_EXPORT_CHROMIUM: there is no program/,
        });
    });

    it("is requested if there is none, because nothing is downloaded", () => {
        assert.throws(
            () => findBrowser(undefined, { PATH: "/usr/bin" }, only()),
            /install one \(Debian: apt-get install chromium\), or give its path with --browser or STATIC_EXPORT_CHROMIUM/,
        );
    });
});
