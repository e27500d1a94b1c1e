/** What the commands have in common that print something made from the configuration of an application. */
@NullMarked
package io.credential.spring.autoconfigure.internal.command;

import org.jspecify.annotations.NullMarked;
