import fc from "fast-check";

/**
 * A whole run of the specs draws the same cases each time, so that it fails for a change and not by chance.
 * `npm run test:faults`, and a spec that is run alone, draw others.
 */
fc.configureGlobal({ seed: 1 });
