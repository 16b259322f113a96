// The errors and values of the lower modules that this module's methods throw and return. The types
// that do the work there (`Store`, `Repository`, `Synchronizer`, `CloudSync`) stay hidden.

@_exported public import LarderModel

@_exported public import struct LarderGit.Commit
@_exported public import struct LarderGit.DamagedObject
@_exported public import struct LarderGit.GitError
@_exported public import enum LarderGit.GitVersion
@_exported public import enum LarderGit.Operation
@_exported public import struct LarderGit.ObjectID

@_exported public import struct LarderStore.AttributeFault
@_exported public import enum LarderStore.Damage
@_exported public import enum LarderStore.DeviceFlag
@_exported public import enum LarderStore.DeviceNumber
@_exported public import struct LarderStore.Draft
@_exported public import struct LarderStore.FileInTheWay
@_exported public import struct LarderStore.GitFolder
@_exported public import struct LarderStore.KeptVersion
@_exported public import struct LarderStore.LaterChange
@_exported public import struct LarderStore.LeftCommit
@_exported public import struct LarderStore.LooseHead
@_exported public import struct LarderStore.LostWrite
@_exported public import struct LarderStore.Reading
@_exported public import struct LarderStore.RefusedCommit
@_exported public import enum LarderStore.SetUpProblem
@_exported public import enum LarderStore.StoreError
@_exported public import struct LarderStore.TreeFault
@_exported public import enum LarderStore.UndoError
@_exported public import struct LarderStore.Writing

@_exported public import struct LarderStore.RemoteResults
@_exported public import enum LarderStore.SyncError
@_exported public import enum LarderStore.SyncEvent
@_exported public import struct LarderStore.SyncOutcome

@_exported public import enum LarderCloud.AnswerFlaw
@_exported public import enum LarderCloud.CloudError
@_exported public import enum LarderCloud.CloudProgress
@_exported public import enum LarderCloud.CloudProjectError
@_exported public import struct LarderCloud.CloudState
@_exported public import enum LarderCloud.CloudSyncError
@_exported public import enum LarderCloud.CredentialsError
@_exported public import struct LarderCloud.HouseholdMember
@_exported public import struct LarderCloud.Invitation
@_exported public import struct LarderCloud.KnownInvitation
@_exported public import struct LarderCloud.LeftRow
@_exported public import struct LarderCloud.Outbox
@_exported public import enum LarderCloud.PendingOperation
@_exported public import struct LarderCloud.PullOutcome
@_exported public import struct LarderCloud.PushOutcome
@_exported public import struct LarderCloud.Refusal
@_exported public import struct LarderCloud.RefusedRow
@_exported public import struct LarderCloud.RequestNote
@_exported public import struct LarderCloud.Secret
@_exported public import enum LarderCloud.TransportError
@_exported public import struct LarderCloud.WarmUpOutcome
