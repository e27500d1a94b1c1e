/** The budgets of the operator's console. */
@NullMarked
package io.credential.benchmarks.console;

import org.jspecify.annotations.NullMarked;
