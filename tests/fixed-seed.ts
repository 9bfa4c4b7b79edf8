import fc from "fast-check";

/**
 * All runs of the specs use the same random cases, so that a failure is caused by a change, not by chance. `npx mocha`
 * with one spec uses other cases.
 */
fc.configureGlobal({ seed: 1 });
