/** Auto-configuration of OpenAPI documents. */
@NullMarked
package io.credential.spring.autoconfigure.openapi;

import org.jspecify.annotations.NullMarked;
