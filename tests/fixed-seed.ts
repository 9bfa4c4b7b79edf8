import fc from "fast-check";

/**
 * All runs of the specs draw the same cases, so that a failure has a change as its cause and not chance. `npx mocha`
 * with one spec draws others.
 */
fc.configureGlobal({ seed: 1 });
