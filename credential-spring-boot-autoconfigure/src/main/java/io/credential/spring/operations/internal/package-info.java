/** What operators see and do, without HTTP: Actuator and the console share it, so that both say and audit the same. */
@NullMarked
package io.credential.spring.operations.internal;

import org.jspecify.annotations.NullMarked;
