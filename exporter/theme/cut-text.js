/* global window */
// Cuts texts without cutting an emoji in two. Must be bundled.
import { beginningOf } from "../../contract/src/text/cut-text.ts";

window.staticExportBeginningOf = beginningOf;
