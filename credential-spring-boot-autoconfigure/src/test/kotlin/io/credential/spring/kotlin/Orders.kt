package io.credential.spring.kotlin

import io.credential.apikey.ApiKey
import io.credential.spring.security.RequiresScope
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.withContext
import org.springframework.security.core.context.SecurityContextHolder
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

@JvmInline
value class OrderId(val value: String)

data class Order(val id: String, val note: String = "none")

interface Listing {

    @RequiresScope("orders:read")
    fun inherited(): String = "inherited"

    @RequiresScope("orders:read")
    suspend fun inheritedLater(): String {
        delay(1)
        return "inherited later"
    }
}

abstract class Store<T : Any> {

    @RequiresScope("orders:read")
    open suspend fun find(key: T): String {
        delay(1)
        return "any $key"
    }
}

/** Everything is checked for the scope, whichever methods the compiler makes of it. */
open class Orders : Store<String>(), Listing {

    override suspend fun find(key: String): String {
        delay(1)
        return "found $key"
    }

    @RequiresScope("orders:read")
    open suspend fun suspended(): String {
        delay(1)
        return "suspended"
    }

    @RequiresScope("orders:read")
    open fun withDefault(first: String = "a", second: Int = 1): String = "$first$second"

    @RequiresScope("orders:read")
    open suspend fun suspendedWithDefault(first: String = "a"): String {
        delay(1)
        return first
    }

    @RequiresScope("orders:read")
    internal open fun ofModule(): String = "internal"

    @RequiresScope("orders:read")
    internal open suspend fun ofModuleLater(): String {
        delay(1)
        return "internal"
    }

    @RequiresScope("orders:read")
    open fun byValue(id: OrderId): String = id.value

    @get:RequiresScope("orders:read")
    open val property: String
        get() = "property"

    @JvmSynthetic
    @RequiresScope("orders:read")
    open fun hiddenFromJava(): String = "hidden"

    @RequiresScope("orders:read")
    open fun numbers(): Flow<Int> = flow {
        delay(1)
        emit(1)
    }
}

/** Receives the result of a suspend function that Java calls. */
class Ignoring : Continuation<Any?> {

    override val context: CoroutineContext = EmptyCoroutineContext

    override fun resumeWith(result: Result<Any?>) = Unit
}

@RestController
open class OrderController(private val orders: Orders) {

    @GetMapping("/suspended")
    @RequiresScope("orders:read")
    open suspend fun suspended(key: ApiKey): String {
        delay(1)
        return withContext(Dispatchers.Default) { key.ownerId() }
    }

    @GetMapping("/at-once")
    @RequiresScope("orders:read")
    open suspend fun atOnce(): String = "at once"

    @GetMapping("/default")
    @RequiresScope("orders:read")
    open fun withDefault(@RequestParam amount: Int = 7): String = "amount $amount"

    @GetMapping("/suspended-default")
    @RequiresScope("orders:read")
    open suspend fun suspendedDefault(@RequestParam amount: Int = 7): String {
        delay(1)
        return "amount $amount"
    }

    @GetMapping("/flow", produces = ["text/event-stream"])
    @RequiresScope("orders:read")
    open fun numbers(): Flow<Int> = flow {
        delay(1)
        emit(1)
        emit(2)
    }

    @PostMapping("/body")
    @RequiresScope("orders:write")
    open suspend fun body(@RequestBody body: String): String {
        delay(1)
        return body
    }

    /** Nothing is required of the controller: the service checks before it resumes for the first time. */
    @GetMapping("/service")
    open suspend fun service(): String = orders.suspended()

    /** The service checks on another thread. After a delay instead, it could still be the thread of the caller. */
    @GetMapping("/service-later")
    open suspend fun serviceLater(): String = withContext(Dispatchers.IO) { orders.suspended() }

    @GetMapping("/caller-later")
    open suspend fun callerLater(): String =
        withContext(Dispatchers.IO) { SecurityContextHolder.getContext().authentication?.name ?: "nobody" }
}

@RestController
@RequiresScope("admin")
open class AdminController {

    @GetMapping("/admin")
    open suspend fun admin(): String {
        delay(1)
        return "admin"
    }
}
