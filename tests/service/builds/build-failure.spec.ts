import assert from "node:assert/strict";
import { adviceOnPackages } from "../../../service/src/builds/build-failure.js";

describe("The advice on a build that misses packages", () => {
    it("names NODE_ENV=production, with which package managers leave out devDependencies", () => {
        const [advice = ""] = adviceOnPackages("sh: 1: vitepress: not found", "production");
        assert.match(advice, /^With NODE_ENV=production, package managers leave out devDependencies, /);
        assert.equal(adviceOnPackages("Error: Cannot find module 'vite'", "production").length, 1);
    });

    it("is not given for other failures, or for another value", () => {
        assert.deepEqual(adviceOnPackages("Error: a broken link", "production"), []);
        assert.deepEqual(adviceOnPackages("sh: 1: vitepress: not found", "development"), []);
        assert.deepEqual(adviceOnPackages("sh: 1: vitepress: not found", undefined), []);
    });
});
