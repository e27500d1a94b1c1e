/** Auto-configuration of controller arguments. */
@NullMarked
package io.credential.spring.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
