/** Verification of API keys, and the audit log beside it. */
@NullMarked
package io.credential.benchmarks.apikey;

import org.jspecify.annotations.NullMarked;
