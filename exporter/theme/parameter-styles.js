/* global window */
// Lets the form of an API page write a request in the same way as the page's examples. Must be bundled.
import { enteredValue, partTexts, serialise } from "../src/api/openapi/parameter-styles.ts";

window.staticExportRequests = { enteredValue, partTexts, serialise };
