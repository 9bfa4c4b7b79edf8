import assert from "node:assert/strict";
import { findBrowser } from "../../../cli/src/pdf/find-browser.js";

const only = (...paths: string[]) => ({ platform: "linux" as const, exists: (path: string) => paths.includes(path) });

describe("The browser for printing", () => {
    it("is the given browser, or else the browser that the environment names, or else a browser on PATH", () => {
        const env = { STATIC_EXPORT_CHROMIUM: "/opt/set", PATH: "/usr/local/bin:/usr/bin" };
        const all = only("/opt/given", "/opt/set", "/usr/bin/chromium");
        assert.equal(findBrowser("/opt/given", env, all), "/opt/given");
        assert.equal(findBrowser(undefined, env, all), "/opt/set");
        assert.equal(findBrowser(undefined, { PATH: env.PATH }, all), "/usr/bin/chromium");
    });

    it("is found in the usual locations on each system", () => {
        assert.equal(findBrowser(undefined, {}, only("/snap/bin/chromium")), "/snap/bin/chromium");
        const app = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
        assert.equal(findBrowser(undefined, {}, { ...only(app), platform: "darwin" }), app);
    });

    it("is not replaced by another browser if the given browser is missing", () => {
        const installed = only("/usr/bin/chromium");
        assert.throws(() => findBrowser("/opt/no", {}, installed), /--browser: there is no program \/opt\/no\./);
        assert.throws(() => findBrowser(undefined, { STATIC_EXPORT_CHROMIUM: "/opt/no" }, installed), {
            name: "UsageError",
            message: /^STATIC_EXPORT_CHROMIUM: there is no program/,
        });
    });

    it("must be installed by the user if the command finds no browser, because the command downloads nothing", () => {
        assert.throws(
            () => findBrowser(undefined, { PATH: "/usr/bin" }, only()),
            /install one \(Debian: apt-get install chromium\), or give its path with --browser or STATIC_EXPORT_CHROMIUM/,
        );
    });
});
