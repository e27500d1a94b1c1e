package io.credential.spring.autoconfigure.keyring;

/** A table with sealed data whose name is configurable. No keyring is created while one holds data. */
record SealedTable(String name) {}
