/** Advice if a forge redirects requests of git or of its API. */
export const movedAdvice =
    "The repository has moved, or its forge asks for a sign-in: open the repository in a browser, and name its new " +
    "address in --agent-project.";
