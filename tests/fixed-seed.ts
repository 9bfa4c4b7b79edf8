import fc from "fast-check";

/**
 * A whole run of the specs draws the same cases each time, so that it fails for a change and not by chance.
 * `npx mocha` with one spec draws others.
 */
fc.configureGlobal({ seed: 1 });
