package io.credential.spring.kotlin

import io.credential.spring.security.RequiresScope

class FinalClass {

    @RequiresScope("orders:read")
    suspend fun list(): String = "orders"
}

open class FinalFunction {

    @RequiresScope("orders:read")
    suspend fun list(): String = "orders"
}

open class PrivateFunction {

    @RequiresScope("orders:read")
    private suspend fun list(): String = "orders"

    open suspend fun all(): String = list()
}

open class StaticFunction {

    companion object {

        @JvmStatic
        @RequiresScope("orders:read")
        fun list(): String = "orders"
    }
}

open class CompanionFunction {

    companion object Named {

        @RequiresScope("orders:read")
        fun list(): String = "orders"
    }
}

@RequiresScope("orders:read")
data class DataClass(val value: String = "value")

@RequiresScope("orders:read")
open class FinalFunctionByType {

    fun list(): String = "orders"
}
